/**
 * Implements `npm run freeze:descriptions`, which records that every description under a `stated` basis was compared with its statements.
 */
import { writeFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { frozenFile, frozenForm, statedDescriptions } from './stated-descriptions.ts';

const header = `# Every description below a \`stated\` basis, with the hash of the text that somebody read against its statements, and with that
# basis. \`npm run freeze:descriptions\` writes it. Run it only after you have read what changed: the words say what the statements say,
# and whatever says more ends in its open point, such as (OP-12), or rests on one by \`x-basis-of: { description: OP-nn }\`.
`;

const descriptions = statedDescriptions();
writeFileSync(frozenFile, header + stringify(frozenForm(descriptions), { lineWidth: 0 }));
console.log(`${descriptions.length} descriptions frozen in test/contract/stated-descriptions.yaml`);
