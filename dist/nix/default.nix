# SPDX-License-Identifier: GPL-2.0-only
{ pkgs, ... }:

let
  kernel = pkgs.linuxPackages_6_12.kernel;

  lkst = pkgs.stdenv.mkDerivation {
    pname = "lkst";
    version = kernel.version;
    src = kernel.src;
    patches = [ ./lkst.patch ];
    nativeBuildInputs = [ pkgs.pkg-config ];
    buildInputs = [ pkgs.zlib ];
    makeFlags = [ "-C" "tools/tracing/lkst" "prefix=${placeholder "out"}" ];
  };
in
{
  boot.kernelPackages = pkgs.linuxPackages_6_12;
  boot.kernelPatches = [
    {
      name = "lkst";
      patch = ./lkst.patch;
      extraConfig = builtins.readFile ./config;
    }
  ];
  environment.systemPackages = [ lkst ];
}
