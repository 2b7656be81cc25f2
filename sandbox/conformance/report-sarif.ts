import type { Finding } from './finding.ts';
import type { Report } from './finding-book.ts';

/** The report as SARIF 2.1.0: a result for each finding, at the line of the contract that it breaks. */
export function sarifReport({ findings, tool }: Report): string {
  const codes = [...new Set(findings.map(({ code }) => code))].sort();
  const driver = {
    name: tool.name,
    version: tool.version,
    rules: codes.map((id) => ({ id, shortDescription: { text: id.split('.').join(' ') } })),
  };
  const run = {
    tool: { driver },
    columnKind: 'utf16CodeUnits',
    results: findings.map((found) => result(found, codes.indexOf(found.code))),
  };
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function result(found: Finding, ruleIndex: number) {
  const { code, severity, party, method, url, status, pointer, expected, actual, contract, times, ...rest } = found;
  const answer = status === null ? '' : ` answered ${status}`;
  const text = `${method} ${url}${answer}: ${pointer} ${expected}, found ${actual}. At fault: ${party}.`;
  return {
    ruleId: code,
    ruleIndex,
    level: severity === 'error' ? 'error' : 'note',
    message: { text },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: contract.file, uriBaseId: '%SRCROOT%' },
          region: { startLine: contract.line },
        },
      },
    ],
    occurrenceCount: times,
    properties: { party, pointer, expected, actual, ...rest },
  };
}
