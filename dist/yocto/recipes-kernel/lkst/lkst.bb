# SPDX-License-Identifier: GPL-2.0-only
SUMMARY = "Tools of the Linux Kernel State Tracer"
LICENSE = "GPL-2.0-only"
LIC_FILES_CHKSUM = "file://${COMMON_LICENSE_DIR}/GPL-2.0-only;md5=801f80980d171dd6425610833a22dbe6"

# Its source is that of the kernel.
inherit kernelsrc

EXTRA_OEMAKE = "-C ${S}/tools/tracing/lkst OUTPUT=${B}/ prefix=${prefix} 'CC=${CC}' 'AR=${AR}'"
B = "${WORKDIR}/build"

do_configure[noexec] = "1"

do_compile() {
	oe_runmake ${B}/lkst
}

do_install() {
	install -D -m 0755 ${B}/lkst ${D}${bindir}/lkst
	for name in lkstm lkstbuf lksteh; do
		ln -sf lkst ${D}${bindir}/$name
	done
}

PACKAGE_ARCH = "${MACHINE_ARCH}"
