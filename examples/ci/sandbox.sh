#!/bin/sh
# Starts a rewards sandbox for the rest of a job, checks the job's calls against the contracts, and stops the sandbox.
#
#   sandbox.sh start PACKAGE [flag...]   install PACKAGE, a tarball or an address, with npm, and start the sandbox with these flags
#   sandbox.sh check [flag...]           check messages and points of the calls so far, in every workspace; exit with 1 if a message
#                                        violates the contract, points differ, or no call arrived
#   sandbox.sh certify [flag...]         call the client server as the platform does; exit with 1 if it violates a requirement
#   sandbox.sh summary                   print the results of check and certify as Markdown
#   sandbox.sh stop                      stop the sandbox, and print its output if it ended with an error
#
# All files are in .rewards-sandbox, or in REWARDS_SANDBOX_DIR. Once the sandbox is ready, the file `env` contains REWARDS_SANDBOX_URL, the
# address of the control API, as NAME=value. A check writes check.xml (JUnit), check.sarif and check.json, and accepts the flags of
# `rewards-sandbox check`, such as --fail-on warning or --source src/server.js. A certification writes certify.xml (JUnit), certify.html and
# certify.json, and accepts the flags of `rewards-sandbox certify`, such as --config certify.yaml. Needs Node 24.18 or newer with npm.
set -eu
folder=${REWARDS_SANDBOX_DIR:-.rewards-sandbox}

start() {
  package=$1
  shift
  mkdir -p "$folder"
  npm install --prefix "$folder" --no-audit --no-fund --loglevel error "$package"
  bin="$folder/node_modules/.bin/rewards-sandbox"
  : > "$folder/ready.json"
  node "$bin" --json --no-docs --clock frozen --data "$folder/data" "$@" > "$folder/ready.json" 2> "$folder/sandbox.log" &
  echo $! > "$folder/pid"
  tries=0
  until grep -q '"ready":true' "$folder/ready.json"; do
    tries=$((tries + 1))
    if [ "$tries" -gt 600 ] || ! kill -0 "$(cat "$folder/pid")" 2> /dev/null; then
      stop 2> /dev/null || true
      cat "$folder/sandbox.log" >&2
      exit 1
    fi
    sleep 0.1
  done
  node -e '
    const { urls } = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
    console.log(`REWARDS_SANDBOX_URL=${urls.sandbox}`);
  ' "$folder/ready.json" > "$folder/env"
  cat "$folder/env"
}

# Read the log page by page, oldest call first. The reports cover the demo workspace, and the verdict covers every workspace.
check() {
  . "$folder/env"
  node -e '
    const [url, file] = process.argv.slice(1);
    const items = [];
    (async () => {
      for (let after = 0; after !== null; ) {
        const page = await (await fetch(`${url}/activity?limit=1000&after=${after}`)).json();
        items.push(...page.items);
        after = page.next;
      }
      require("node:fs").writeFileSync(file, JSON.stringify({ items, next: null }));
    })();
  ' "$REWARDS_SANDBOX_URL" "$folder/activity.json"
  node "$folder/node_modules/.bin/rewards-sandbox" check "$folder/activity.json" \
    --report "junit=$folder/check.xml" --report "sarif=$folder/check.sarif" --report "json=$folder/check.json" "$@" && code=0 || code=$?
  node "$folder/node_modules/.bin/rewards-sandbox" verdict --sandbox "$REWARDS_SANDBOX_URL" > "$folder/verdict.txt" || code=1
  cat "$folder/verdict.txt"
  return "$code"
}

certify() {
  node "$folder/node_modules/.bin/rewards-sandbox" certify --data "$folder/certified" \
    --report "junit=$folder/certify.xml" --report "html=$folder/certify.html" --report "json=$folder/certify.json" "$@"
}

# At most twenty lines of each kind. Text from traffic is in code spans, so that none is rendered as Markdown.
summary() {
  node -e '
    const { existsSync, readFileSync } = require("node:fs");
    const report = (name) => {
      const file = `${process.argv[1]}/${name}.json`;
      return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
    };
    const code = (value) => `\`${String(value).replace(/[\s\x60]+/g, " ").slice(0, 200)}\``;
    const count = (number, of) => `${number} ${of}${number === 1 ? "" : "s"}`;
    const list = (lines) => {
      for (const line of lines.slice(0, 20)) console.log(`- ${line}`);
      if (lines.length > 20) console.log(`- ${lines.length - 20} more`);
      console.log("");
    };
    const section = (title, lines) => {
      console.log(`### ${title}\n`);
      if (lines.length > 0) list(lines);
    };
    console.log("## Rewards sandbox\n");
    const check = report("check");
    if (check !== undefined) {
      const { exchanges, totals, findings } = check;
      const errors = findings.filter(({ severity }) => severity === "error");
      section(
        `Messages: ${count(totals.errors, "error")} and ${count(totals.warnings, "warning")} in ${count(exchanges.checked, "call")}`,
        errors.map(
          ({ code: rule, operation, method, url, pointer, expected, actual, party }) =>
            `${code(operation ?? `${method} ${url}`)}: ${code(pointer)} ${code(expected)}, found ${code(actual)} (${rule}, at fault: ${party})`,
        ),
      );
    }
    const verdict = `${process.argv[1]}/verdict.txt`;
    if (existsSync(verdict)) section("Every workspace", readFileSync(verdict, "utf8").trim().split("\n").map(code));
    const certify = report("certify");
    if (certify !== undefined) {
      const { mandatory } = certify.coverage;
      section(
        `Certification: ${certify.outcome}, ${mandatory.judged} of ${mandatory.of} mandatory requirements judged`,
        certify.verdicts
          .filter(({ verdict }) => verdict === "fail" || verdict === "suite_error")
          .map(({ id, title, level, verdict }) => `**${id}** (${level}, ${verdict}): ${title}`),
      );
      if (certify.problem !== null) console.log(`${code(certify.problem)}\n`);
    }
  ' "$folder"
}

# A sandbox ends within twelve seconds. Without a running sandbox, there is nothing to stop.
stop() {
  [ -f "$folder/pid" ] || return 0
  pid=$(cat "$folder/pid")
  rm "$folder/pid"
  if ! kill "$pid" 2> /dev/null; then
    cat "$folder/sandbox.log" >&2
    return 1
  fi
  tries=0
  while kill -0 "$pid" 2> /dev/null; do
    tries=$((tries + 1))
    [ "$tries" -le 150 ] || kill -9 "$pid"
    sleep 0.1
  done
}

case ${1:-} in
  start)
    shift
    start "$@"
    ;;
  check)
    shift
    check "$@"
    ;;
  certify)
    shift
    certify "$@"
    ;;
  summary) summary ;;
  stop) stop ;;
  *)
    sed -n '4,9s/^# *//p' "$0" >&2
    exit 2
    ;;
esac
