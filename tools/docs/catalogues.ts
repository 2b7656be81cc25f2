/** JSON catalogues for programs: errors, magic values and requirements. Their sources are the tables that the sandbox uses. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadRequirements } from '../../sandbox/certification/requirement.ts';
import { clientTable, flatTable } from '../../sandbox/contract/failure-tables.ts';
import { magicAmounts, magicCustomers, magicItems, magicUses } from '../../sandbox/magic/table.ts';
import { advice } from './error-advice.ts';

/** Catalogue files under `/docs/downloads/`, with a description of each. */
export const catalogueFiles = [
  {
    name: 'errors.json',
    about: 'every error of both sides: status, code, cause, what to do, whether to retry',
    content: errors,
  },
  {
    name: 'magic-values.json',
    about: 'ids and amounts that make an order, a payment or a sign-in fail, and what comes of each',
    content: magicValues,
  },
  {
    name: 'requirements.json',
    about: 'what a client server is certified against, with what each requirement rests on',
    content: requirements,
  },
] as const;

/** Returns links to the catalogues as a Markdown list. */
export function cataloguesInsert(): string {
  return catalogueFiles.map(({ name, about }) => `- [${name}](/downloads/${name}){download}: ${about}`).join('\n');
}

/** Writes the catalogues into a folder. */
export function writeCatalogues(folder: string): void {
  for (const { name, content } of catalogueFiles) {
    writeFileSync(join(folder, name), `${JSON.stringify(content())}\n`);
  }
}

function errors() {
  return Object.entries(advice).map(([kind, { title, cause, fix, retry }]) => ({
    ...{ kind, title, cause, fix, retry },
    platform: seenAt(flatTable, kind),
    client: seenAt(clientTable, kind),
    page: `/docs/errors#${kind}`,
  }));
}

/** Returns the status and code of an error on one side, or `null` if that side never returns it. */
function seenAt(table: object, kind: string): { status: number; code: number } | null {
  const row = (table as Record<string, { status: number; code: number }>)[kind];
  return row === undefined ? null : { status: row.status, code: row.code };
}

function magicValues() {
  return { uses: magicUses, items: magicItems, customers: magicCustomers, amounts: magicAmounts };
}

function requirements() {
  return loadRequirements();
}
