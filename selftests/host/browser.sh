# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# Drives Debian's chromium by chromedriver and curl: WebDriver is plain HTTP. To be sourced.
# $tmp is a folder for what it needs.

: "${tmp:?}"

# browser_missing: says what is not there; false if all is.
browser_missing()
{
	for program in chromium chromedriver curl jq; do
		command -v $program >/dev/null || {
			echo "there is no $program"
			return 0
		}
	done
	getent hosts localhost >/dev/null || {
		echo 'localhost has no address: /etc/hosts'
		return 0
	}
	return 1
}

# wd METHOD PATH [JSON]: what the driver answers, without its shell; false if it is an error.
wd()
{
	curl -sS -m 20 -X "$1" "http://localhost:$(cat "$tmp/browser/port")/$2" \
		-H 'Content-Type: application/json' ${3:+--data-binary "$3"} \
		>"$tmp/browser/answer" || return 1
	if jq -e '.value | type == "object" and has("error")' "$tmp/browser/answer" >/dev/null; then
		jq -r '.value.error + ": " + .value.message' "$tmp/browser/answer" | head -3 >&2
		return 1
	fi
	jq -r .value "$tmp/browser/answer"
}

# in_browser METHOD PATH [JSON]: the same, of the browser that was started.
in_browser()
{
	wd "$1" "$(cat "$tmp/browser/session")/$2" "${3:-}"
}

# browser_start [ARGUMENT...]: one that is new; with arguments of chromium's own.
browser_start()
{
	browser_stop
	mkdir -p "$tmp/browser/home"
	HOME=$tmp/browser/home timeout -k 1 240 chromedriver --port=0 --log-path="$tmp/browser/log" \
		>"$tmp/browser/said" 2>&1 &
	echo $! >"$tmp/browser/pid"
	tries=0
	until sed -n 's/.*started successfully on port \([0-9]*\).*/\1/p' "$tmp/browser/said" |
			grep . >"$tmp/browser/port"; do
		tries=$((tries + 1))
		[ $tries -lt 100 ] || { echo 'chromedriver does not start' >&2; return 1; }
		sleep 0.1
	done
	arguments='"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
		"--no-first-run",
		"--disable-dev-shm-usage", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--hide-scrollbars"'
	for argument; do
		arguments="$arguments, \"$argument\""
	done
	session=$(wd POST session "{ \"capabilities\": { \"alwaysMatch\": {
		\"goog:loggingPrefs\": { \"browser\": \"ALL\" },
		\"goog:chromeOptions\": { \"args\": [ $arguments ] } } } }" | jq -r .sessionId) ||
		return 1
	[ -n "$session" ] && echo "session/$session" >"$tmp/browser/session"
}

browser_stop()
{
	[ -f "$tmp/browser/session" ] && wd DELETE "$(cat "$tmp/browser/session")" >/dev/null 2>&1
	[ -f "$tmp/browser/pid" ] && kill "$(cat "$tmp/browser/pid")" 2>/dev/null
	rm -rf "$tmp/browser"
	return 0
}

# js SCRIPT: what the body of a function returns, in the page; it may be a promise.
js()
{
	in_browser POST execute/sync \
		"$(jq -n --arg script "$1" '{ script: $script, args: [] }')"
}

# go FILE [HASH]: shows a page, until it is there.
go()
{
	# What follows # alone does not load it anew.
	[ -z "${2:-}" ] || in_browser POST url '{ "url": "about:blank" }' >/dev/null ||
		return 1
	in_browser POST url "{ \"url\": \"file://$1${2:-}\" }" >/dev/null || return 1
	[ "$(js 'return new Promise((done) => {
		const look = (n) => document.documentElement.dataset.ready ? done("ready") :
			n ? setTimeout(look, 20, n - 1) : done("not ready");
		look(500);
	})')" = ready ]
}

# emulate METHOD PARAMETERS: of the DevTools.
emulate()
{
	in_browser POST goog/cdp/execute "{ \"cmd\": \"$1\", \"params\": $2 }" >/dev/null
}

size()
{
	emulate Emulation.setDeviceMetricsOverride "{ \"width\": $1, \"height\": $2,
		\"deviceScaleFactor\": 1, \"mobile\": ${3:-false} }"
}

scheme()
{
	emulate Emulation.setEmulatedMedia \
		"{ \"features\": [ { \"name\": \"prefers-color-scheme\", \"value\": \"$1\" } ] }"
}

# pointer X Y ACTION...: moves there as a mouse does, then down, up, and X Y again.
mouse()
{
	steps="{ \"type\": \"pointerMove\", \"duration\": 0, \"x\": $1, \"y\": $2 }"
	shift 2
	while [ $# -gt 0 ]; do
		case $1 in
		down | up)
			way=$([ "$1" = up ] && echo Up || echo Down)
			steps="$steps, { \"type\": \"pointer$way\", \"button\": 0 }"
			shift
			;;
		*)
			steps="$steps, { \"type\": \"pointerMove\", \"duration\": 50,
				\"x\": $1, \"y\": $2 }"
			shift 2
			;;
		esac
	done
	in_browser POST actions "{ \"actions\": [ { \"type\": \"pointer\",
		\"id\": \"mouse\", \"actions\": [ $steps ] } ] }" >/dev/null
}

# wheel X Y LINES
wheel()
{
	in_browser POST actions "{ \"actions\": [ { \"type\": \"wheel\", \"id\": \"wheel\",
		\"actions\": [ { \"type\": \"scroll\", \"x\": $1, \"y\": $2, \"deltaX\": 0,
		\"deltaY\": $3, \"duration\": 0 } ] } ] }" >/dev/null
}

# keys KEY...: each is pressed, and let go; a character, Enter or Escape.
keys()
{
	steps=
	for key; do
		case $key in
		Enter) key='"\ue007"' ;;
		Escape) key='"\ue00c"' ;;
		*) key=$(printf %s "$key" | jq -Rs .) ;;
		esac
		steps="$steps${steps:+, }{ \"type\": \"keyDown\", \"value\": $key },
			{ \"type\": \"keyUp\", \"value\": $key }"
	done
	in_browser POST actions "{ \"actions\": [ { \"type\": \"key\", \"id\": \"keys\",
		\"actions\": [ $steps ] } ] }" >/dev/null
}

# What stands on the console, one line each.
console()
{
	in_browser POST se/log '{ "type": "browser" }' | jq -r '.[].message'
}

# shot FILE
shot()
{
	in_browser GET screenshot | base64 -d >"$1"
}
