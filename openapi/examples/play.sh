#!/bin/sh
# One signed move of Keltis against a bot, with curl and openssl 3 alone.
#
#   sh play.sh http://127.0.0.1:8000 echtra_…
set -eu

base=${1:-http://127.0.0.1:8000}
token=${2:-${ECHTRA_TOKEN:-}}
if [ -z "$token" ]; then
    cat >&2 <<TOLD
A token is needed: sh play.sh BASE TOKEN. To get one, with your own email address:
  curl $base/v1/players -H 'Content-Type: application/json' -d '{"name":"Aoife","address":"you@example.org"}'
  curl $base/v1/confirmations -H 'Content-Type: application/json' -d '{"code":"the code in the email"}'
  curl $base/v1/tokens -H 'Content-Type: application/json' -d '{"address":"you@example.org"}'
  curl $base/v1/tokens/THE_ID/code -H 'Content-Type: application/json' -d '{"code":"six digits"}'
TOLD
    exit 2
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# call METHOD PATH [BODY] [HEADER]: print the body of a good answer, or print the problem and exit.
call() {
    status=$(curl -sS -o "$work/answer" -w '%{http_code}' -X "$1" "$base$2" \
        -H "Authorization: Bearer $token" ${3:+-H 'Content-Type: application/json' -d "$3"} ${4:+-H "$4"})
    if [ "$status" -ge 400 ]; then
        echo "$1 $2: $status" >&2
        cat "$work/answer" >&2
        exit 1
    fi
    cat "$work/answer"
}

# field NAME: the first value of this name in the JSON on standard input.
field() { grep -o "\"$1\": *\"\{0,1\}[^,\"}]*" | head -n 1 | sed 's/^[^:]*: *"\{0,1\}//'; }

# 1. A key: the private half stays here, the public half is registered.
openssl genpkey -algorithm ed25519 -out "$work/key.pem"
public=$(openssl pkey -in "$work/key.pem" -pubout | awk '{ printf "%s\\n", $0 }')
call POST /v1/me/keys "{\"pem\":\"$public\",\"label\":\"play.sh\"}" > "$work/key"
key=$(field id < "$work/key")
echo "key    $key"

# 2. A match against a bot; the nonce goes into every draw.
nonce=$(openssl rand -hex 16)
call POST /v1/matches \
    "{\"game\":\"keltis\",\"seats\":2,\"seat\":0,\"bots\":{\"1\":\"steady\"},\"nonce\":\"$nonce\"}" > "$work/match"
match=$(field id < "$work/match")
seat=0
echo "match  $match"

# 3. The table and the legal lines, as soon as the cards are dealt.
tries=0
call GET "/v1/matches/$match/options" > "$work/options"
until grep -q '"asked"' "$work/options"; do
    tries=$((tries + 1))
    [ "$tries" -lt 60 ] || { echo 'Nothing was dealt within a minute: does a worker run?' >&2; exit 1; }
    sleep 1
    call GET "/v1/matches/$match/options" > "$work/options"
done
call GET "/v1/matches/$match/table.txt"
asked=$(field asked < "$work/options")
prev=$(field prev < "$work/options")
line=$(field line < "$work/options")
echo "line   $line"

# 4. The signature: over these eight lines, each with its line feed. A file, not a pipe.
printf '%s\n' echtra-move-v1 "$match" "$seat" "$asked" "$prev" 1 now "$line" > "$work/move.txt"
signature=$(openssl pkeyutl -sign -inkey "$work/key.pem" -rawin -in "$work/move.txt" | od -An -v -tx1 | tr -d ' \n')

# 5. The move; the answer comes when chance and the bot have acted, within ten seconds.
call POST "/v1/matches/$match/moves" \
    "{\"asked\":$asked,\"prev\":\"$prev\",\"key\":\"$key\",\"moves\":[{\"line\":\"$line\",\"signature\":\"$signature\"}]}" \
    'Prefer: wait=10' > "$work/moved"
echo "status $(field status < "$work/moved")"

# 6. The result.
call GET "/v1/matches/$match/table.txt"
