#!/bin/sh
# Prepare a machine with systemd: user, folders, settings, key and units. Run as root in the folder of Echtra, any number
# of times: settings and key that are there stay as they are. DESTDIR names another root.
set -eu
cd "$(dirname "$0")/.."
root=${DESTDIR:-}
install -D -m 0644 deploy/systemd/echtra.sysusers.conf "$root/etc/sysusers.d/echtra.conf"
install -D -m 0644 deploy/systemd/echtra.tmpfiles.conf "$root/etc/tmpfiles.d/echtra.conf"
for unit in deploy/systemd/*.service deploy/systemd/*.timer; do
    install -D -m 0644 "$unit" "$root/etc/systemd/system/$(basename "$unit")"
done
mkdir -p "$root/etc/echtra"
umask 077
[ -e "$root/etc/echtra/echtra.env" ] || cp deploy/systemd/echtra.env.example "$root/etc/echtra/echtra.env"
[ -e "$root/etc/echtra/secret.key" ] || openssl rand -hex 32 > "$root/etc/echtra/secret.key"
systemd-sysusers ${root:+--root="$root"} echtra.conf
systemd-tmpfiles ${root:+--root="$root"} --create echtra.conf
[ -n "$root" ] || systemctl daemon-reload
echo "Now edit $root/etc/echtra/echtra.env, and keep a copy of $root/etc/echtra/secret.key somewhere else."
