import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execPath } from 'node:process';
import type { Node } from '../../sandbox/contract/document.ts';

interface Side {
  readonly pointer: string;
  readonly value?: unknown;
}

/** A difference as `redocly diff` reports it. */
export interface Difference {
  /** The path of the first occurrence, with references resolved. */
  readonly path: string;
  /** The kind of object, such as Schema or Parameter. */
  readonly typeName: string;
  readonly kind: 'added' | 'removed' | 'modified';
  readonly impact: 'major' | 'minor' | 'patch';
  /** Reasons why the difference is breaking. */
  readonly verdicts: readonly { readonly ruleId: string; readonly message: string }[];
  /** The changed keyword of a modified element. */
  readonly property?: string;
  readonly base?: Side;
  readonly revision?: Side;
}

/** Returns every difference between two documents. Throws if Redocly cannot compare them. */
export function differences(before: Node, after: Node): Difference[] {
  const folder = mkdtempSync(join(tmpdir(), 'contracts-diff-'));
  try {
    writeFileSync(join(folder, 'before.json'), JSON.stringify(before));
    writeFileSync(join(folder, 'after.json'), JSON.stringify(after));
    writeFileSync(join(folder, 'redocly.yaml'), 'extends: [diff-recommended]\ntelemetry: off\n');
    const cli = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin/cli.js');
    const flags = ['--format', 'json', '--fail-on', 'none', '--output', 'report.json'];
    execFileSync(execPath, [cli, 'diff', 'before.json', 'after.json', ...flags], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
    const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
    if (report.reportVersion !== '1') throw new Error(`Redocly reports in version ${report.reportVersion}, not in 1.`);
    return report.changes;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
