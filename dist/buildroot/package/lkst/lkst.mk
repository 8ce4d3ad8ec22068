# SPDX-License-Identifier: GPL-2.0-only
################################################################################
#
# lkst
#
################################################################################

# Its source is that of the kernel.
LKST_VERSION = 1
LKST_SOURCE =
LKST_LICENSE = GPL-2.0-only
LKST_DEPENDENCIES = linux

LKST_MAKE = $(TARGET_MAKE_ENV) $(TARGET_CONFIGURE_OPTS) $(MAKE) \
	-C $(LINUX_DIR)/tools/tracing/lkst OUTPUT=$(@D)/

define LKST_BUILD_CMDS
	$(LKST_MAKE) $(@D)/lkst
endef

define LKST_INSTALL_TARGET_CMDS
	$(INSTALL) -D -m 0755 $(@D)/lkst $(TARGET_DIR)/usr/bin/lkst
	for name in lkstm lkstbuf lksteh; do \
		ln -sf lkst $(TARGET_DIR)/usr/bin/$$name; \
	done
endef

$(eval $(generic-package))
