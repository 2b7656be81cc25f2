/** Extracts the fenced blocks of a Markdown page. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

export interface Block {
  readonly language: string;
  /** The words after the language. `refused` marks a call that must be refused. */
  readonly marks: readonly string[];
  readonly text: string;
  /** File and line, for the failure message. */
  readonly at: string;
}

/** Returns the fenced blocks of a page in document order. */
export function blocksOf(path: string): Block[] {
  const text = readFileSync(path, 'utf8');
  return [...text.matchAll(/^```(\S+)([^\n]*)\n([\s\S]*?)^```$/gm)].map((match) => {
    const [, language = '', marks = '', body = ''] = match;
    const line = text.slice(0, match.index).split('\n').length;
    return { language, marks: marks.split(' ').filter(Boolean), text: body, at: `${basename(path)}:${line}` };
  });
}

/** Checks whether a block only installs or starts the sandbox or its commands. Other tests run these. */
export function starts({ text }: Block): boolean {
  return text.split('\n').every((line) => line === '' || /^(np[mx] |export REWARDS_SANDBOX=)/.test(line));
}

/**
 * Joins a page's shell blocks into one script. The script fails at the first unexpected result: a refused call, or a success in a block
 * marked `refused`. The last line on stderr identifies the block.
 */
export function shellScript(blocks: readonly Block[]): string {
  const parts = blocks.map((block) => {
    const body = block.marks.includes('refused') ? expectRefusal(block.text) : block.text;
    return `block='${block.at}'\n${body}`;
  });
  return `set -euo pipefail
shopt -s inherit_errexit
trap 'code=$?; [ $code = 0 ] || echo "$block ended with $code" >&2' EXIT
curl() {
  case "$*" in
    */stream*) command curl --fail-with-body --max-time 1 "$@" || [ $? = 28 ] ;;
    *) command curl --fail-with-body --max-time 20 "$@" ;;
  esac
}
${parts.join('\n')}`;
}

/** Inverts a block's outcome. curl exits with 22 when the server replies with an error. */
function expectRefusal(text: string): string {
  return `set +e\n( set -e\n${text})\ncode=$?\nset -e\n[ $code = 22 ]`;
}
