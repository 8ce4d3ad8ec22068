# SPDX-License-Identifier: GPL-2.0-only
FILESEXTRAPATHS:prepend := "${THISDIR}/lkst:"

# It names the patches and lkst.cfg, which are fetched with it.
SRC_URI += "file://lkst.scc"
