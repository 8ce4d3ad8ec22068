set -eu
. "$(dirname "$0")/lib.sh"
RESULTS=$OUT/arm64
. "$(dirname "$0")/suites.sh"
ok_if "build: lkst" build_kernel lkst
both_halves kernel_tests lkst
finish
