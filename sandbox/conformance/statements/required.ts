/** Statements that somebody asks traffic to exercise: one by its id, or a section by its letter. */
import type { StatementCoverage } from './statement-book.ts';
import { statements } from './statements.ts';

/** Whether traffic can exercise what an id or a letter names. */
export function isRequirable(name: string): boolean {
  return statements.some(({ id, notVisible }) => notVisible === undefined && names(name, id));
}

/** The required statements that no exchange exercised. */
export function lackingObservations(coverage: readonly StatementCoverage[], required: readonly string[]): string[] {
  return coverage
    .filter(({ id, state }) => state === 'not_observed' && required.some((name) => names(name, id)))
    .map(({ id }) => id);
}

function names(name: string, id: string): boolean {
  return name === id || (/^[A-Z]$/.test(name) && id.startsWith(name));
}
