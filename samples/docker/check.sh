#!/bin/sh
# Checks the Dockerfile: with Docker by a build; without it, by carrying out its instructions in an empty folder.
# Run it from the top of the repository: sh samples/docker/check.sh
set -eu

dockerfile=samples/docker/Dockerfile
# sharp scales a picture of 4 x 4 pixels down, so its native part works.
picture='const sharp = (await import("sharp")).default;
const image = sharp({ create: { width: 4, height: 4, channels: 3, background: "red" } });
const { width } = await image.resize(2).png().toBuffer({ resolveWithObject: true }).then(({ info }) => info);
if (width !== 2) throw new Error(`The picture has ${width} pixels.`);'

if docker info >/dev/null 2>&1; then
  docker build -f "$dockerfile" -t guideferry-check .
  docker run --rm --init guideferry-check --version
  docker run --rm --init guideferry-check demo --quiet
  docker run --rm --entrypoint node -w /app guideferry-check --input-type=module -e "$picture"
  [ "$(docker run --rm --entrypoint id guideferry-check -u)" != 0 ] || { echo "The image runs as root." >&2; exit 1; }
  echo "The image was built and runs."
  exit
fi

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
stage='' place='' user=root entry=''

# The folder of a path in a stage.
at() {
  case $2 in
    /*) echo "$root/$1$2" ;;
    *) echo "$root/$1$place/$2" ;;
  esac
}

copy() {
  from=''
  case $1 in
    --from=*) from=${1#--from=}; shift ;;
  esac
  for goal; do :; done
  goal=$(at "$stage" "$goal")
  while [ $# -gt 1 ]; do
    source=$1
    [ -z "$from" ] || source=$(at "$from" "$1")
    # As Docker does: of a folder its content.
    if [ -d "$source" ]; then mkdir -p "$goal" && cp -R "$source/." "$goal/"; else cp "$source" "$goal"; fi
    shift
  done
}

while IFS= read -r line; do
  instruction=${line%% *} words=${line#* }
  case $instruction in
    '' | '#'*) ;;
    FROM)
      stage=final place=''
      case $words in *' AS '*) stage=${words##* AS } ;; esac
      mkdir -p "$root/$stage"
      ;;
    WORKDIR) place=$words; mkdir -p "$root/$stage$place" ;;
    # shellcheck disable=SC2086 # the words are separate arguments
    COPY) copy $words ;;
    # The user of the image exists there only.
    RUN) case $words in 'chown node:node .') ;; *) (cd "$root/$stage$place" && sh -c "$words") ;; esac ;;
    ENV) export "${words?}" ;;
    USER) user=$words ;;
    ENTRYPOINT) entry=$words ;;
    CMD) ;;
    *) echo "check.sh does not know the instruction $instruction." >&2; exit 1 ;;
  esac
done <"$dockerfile"

[ "$user" = node ] || { echo "The image runs as $user." >&2; exit 1; }
program=$(echo "$entry" | sed -n 's/^\["node", "\(.*\)"\]$/\1/p')
[ -n "$program" ] || { echo "The entry point is not node with a file: $entry" >&2; exit 1; }
as_other=''
if [ "$(id -u)" = 0 ]; then as_other='setpriv --reuid=65534 --regid=65534 --clear-groups'; fi
cd "$root/final/app"
mkdir "$root/data"
chmod 777 "$root/data"
$as_other node "$root/final$program" --version
# A whole migration between two embedded sites, so the database works too.
(cd "$root/data" && TMPDIR=$root/data XDG_STATE_HOME=$root/data $as_other node "$root/final$program" demo --quiet)
$as_other node --input-type=module -e "$picture"
# Nothing of the development is in the image.
if [ -e node_modules/typescript ] || [ -e node_modules/vitest ]; then echo "The image has development packages." >&2; exit 1; fi
echo "Each instruction works; the program and sharp run as another user. Docker was not used."
