#!/usr/bin/env bash
# Starts what a team shares on one machine: PostgreSQL with the memory of a team and two members, a folder for the cache of the index, and
# a search server over the checkouts in repositories/ of the folder, or that REPOSITORIES names ("/srv/checkouts/*").
# Everything lies in one folder; Ctrl-C ends the servers, the next start goes on with what is there.
#   examples/team/start.sh [folder]      # default: ./team-data, for root /var/lib/aurora-team
# It needs PostgreSQL 15 or later (Debian, Ubuntu: apt-get install postgresql) and aurora, and no rights but yours. PostgreSQL refuses to run as
# root: for root it runs as the user postgres, whom the package makes.
set -euo pipefail

default=team-data
[ "$(id -u)" -ne 0 ] || default=/var/lib/aurora-team
folder=$(mkdir -p "${1:-$default}" && cd "${1:-$default}" && pwd)
port=${PORT:-5544}
search_port=${SEARCH_PORT:-7474}
aurora=${AURORA:-aurora}

for bin in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -rV) "$(dirname "$(command -v initdb || echo /none)")"; do
  [ -x "$bin/initdb" ] && break
done
[ -x "$bin/initdb" ] || { echo "start.sh: PostgreSQL is not installed (Debian: apt-get install postgresql)" >&2; exit 1; }
command -v "$aurora" >/dev/null || { echo "start.sh: aurora is not on PATH; AURORA=<path> names it" >&2; exit 1; }

server() ( # server PROGRAM ...: a program of the server, as somebody who may run it
  cd /
  if [ "$(id -u)" -ne 0 ]; then "$bin/$1" "${@:2}"; else runuser -u postgres -- "$bin/$1" "${@:2}"; fi
)
mkdir -p "$folder/data"
if [ "$(id -u)" -eq 0 ]; then
  id postgres >/dev/null 2>&1 || { echo "start.sh: PostgreSQL refuses to run as root, and there is no user postgres; run this as another user" >&2; exit 1; }
  chown postgres "$folder/data"
  runuser -u postgres -- test -w "$folder/data" || { echo "start.sh: the user postgres can't reach $folder; name another folder, such as /var/lib/aurora-team" >&2; exit 1; }
fi
umask 077
secret() { # secret NAME: a password that stays the same
  [ -s "$folder/$1.password" ] || head -c 18 /dev/urandom | base64 | tr '+/' '-_' >"$folder/$1.password"
  cat "$folder/$1.password"
}

admin=$(secret postgres)
if [ ! -s "$folder/data/PG_VERSION" ]; then
  cp "$folder/postgres.password" "$folder/initdb.password"
  [ "$(id -u)" -ne 0 ] || chown postgres "$folder/initdb.password"
  server initdb -D "$folder/data" -U postgres -A scram-sha-256 --pwfile "$folder/initdb.password" -E UTF8 >/dev/null
  rm "$folder/initdb.password"
fi
server pg_ctl start -w -D "$folder/data" -l "$folder/data/server.log" -o "-p $port -k $folder/data -c listen_addresses=127.0.0.1 -c max_connections=300" >/dev/null
trap '[ -z "${search:-}" ] || { kill "$search"; wait "$search"; } 2>/dev/null || true; [ -z "${idle:-}" ] || kill "$idle" 2>/dev/null || true; server pg_ctl stop -w -m fast -D "$folder/data" >/dev/null' EXIT

sql() { PGPASSWORD=$admin "$bin/psql" -X -q -A -t -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$port" -U postgres "$@"; }
[ "$(sql -c "SELECT count(*) FROM pg_database WHERE datname = 'team'")" = 1 ] || sql -c 'CREATE DATABASE team'
AURORA_TEAM_PASSWORD=$admin "$aurora" team migrate "postgres://postgres@127.0.0.1:$port/team"
for member in alice bob; do
  [ "$(sql -c "SELECT count(*) FROM pg_roles WHERE rolname = '$member'")" = 1 ] || sql -c "CREATE ROLE $member LOGIN PASSWORD '$(secret $member)'"
  sql -d team -c "SELECT aurora.add_member('$member', 'example')" >/dev/null
done
mkdir -p "$folder/cache" "$folder/repositories" "$folder/search"
for member in alice bob; do echo "$member $(secret "$member-search")"; done >"$folder/search/tokens"
repositories=${REPOSITORIES:-$folder/repositories/*}
search=
if compgen -G "$repositories" >/dev/null; then
  printf '{"listen": "127.0.0.1:%s", "tokens": "tokens", "repositories": [{"folder": "%s"}]}\n' "$search_port" "$repositories" >"$folder/search/server.json"
  AURORA_HOME=$folder/search/home "$aurora" serve --shared "$folder/search/server.json" 2>>"$folder/search/log" &
  search=$!
  searching="http://127.0.0.1:$search_port    token: $(cat "$folder/alice-search.password")"
else
  searching="not started: there is no checkout at $repositories"
fi

cat <<TEXT

The team's memory:  aurora team join postgres://alice@127.0.0.1:$port/team    password: $(secret alice)
                    aurora team join postgres://bob@127.0.0.1:$port/team      password: $(secret bob)
A cache of indexes: $folder/cache (docs/team.md says how CI fills it)
The search server:  $searching
Ctrl-C ends it.
TEXT
sleep infinity &
idle=$!
wait "$idle" || true
