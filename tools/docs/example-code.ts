/** Extracts the code that implements an operation from the example servers. */
import { read } from './content.ts';

interface Language {
  readonly label: string;
  readonly fence: string;
  /** Files that contain the operations, the ledger and the one-time passwords. */
  readonly files: Readonly<Record<Part, string>>;
  readonly naming: 'camel' | 'pascal' | 'snake' | 'exported';
  /** The private method that implements `report`, if any. */
  readonly report?: string;
}

type Part = 'operations' | 'ledger' | 'otp';

const file = (folder: string, [operations = '', ledger = '', otp = '']: readonly string[]) => ({
  operations: `${folder}/${operations}`,
  ledger: `${folder}/${ledger}`,
  otp: `${folder}/${otp}`,
});

const lower = (folder: string, ending: string) =>
  file(
    folder,
    ['operations', 'ledger', 'otp'].map((name) => `${name}.${ending}`),
  );
const upper = (folder: string, ending: string) =>
  file(
    folder,
    ['Operations', 'Ledger', 'Otp'].map((name) => `${name}.${ending}`),
  );

const languages: readonly Language[] = [
  { label: 'Node', fence: 'js', files: lower('node', 'js'), naming: 'camel' },
  { label: 'Python', fence: 'python', files: lower('python', 'py'), naming: 'snake' },
  { label: 'Java', fence: 'java', files: upper('java/src', 'java'), naming: 'camel' },
  { label: 'Go', fence: 'go', files: lower('go', 'go'), naming: 'exported', report: 'report' },
  { label: 'PHP', fence: 'php', files: lower('php', 'php'), naming: 'camel', report: 'recordStatus' },
  { label: 'C#', fence: 'csharp', files: upper('csharp', 'cs'), naming: 'pascal' },
];

/** Methods that each operation calls, in addition to its handler. */
const steps: Readonly<Record<string, readonly (readonly [part: Part, method: string])[]>> = {
  getProfileAndPoints: [['ledger', 'find']],
  creditPoints: [['ledger', 'credit']],
  saveRedeemDetails: [['ledger', 'deduct']],
  updateRedeemStatus: [['ledger', 'report']],
  generateOtp: [['otp', 'make']],
  verifyOtp: [['otp', 'use']],
};

/** Returns the handler of an operation and the methods that it calls, with one tab for each language. */
export function exampleCode(operation: string): string {
  const called = steps[operation];
  if (called === undefined) throw new Error(`The example servers do not host ${operation}.`);
  const tabs = languages.map(({ label, fence, files, naming, report }) => {
    const parts = [['operations', operation] as const, ...called].map(([part, name]) => {
      const path = `examples/${files[part]}`;
      const method = methodOf(read(path), nameIn(naming, name, part), path);
      return name === 'report' && report !== undefined ? `${method}\n\n${methodOf(read(path), report, path)}` : method;
    });
    return `\`\`\`${fence} [${label}]\n${parts.join('\n\n')}\n\`\`\``;
  });
  return `::: code-group\n\n${tabs.join('\n\n')}\n\n:::`;
}

function nameIn(naming: Language['naming'], name: string, part: Part): string {
  const pascal = name.charAt(0).toUpperCase() + name.slice(1);
  if (naming === 'pascal') return pascal;
  if (naming === 'exported') return part === 'operations' ? name : pascal;
  return naming === 'snake' ? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name;
}

/** Returns a method with its comment, without the indentation of its class. Throws if the file has no such method. */
function methodOf(text: string, name: string, path: string): string {
  const lines = text.split('\n');
  const keyword = 'private|public|internal|synchronized|static|async|function|def|func';
  const declaration = new RegExp(String.raw`^\s*(?:(?:${keyword})\b.*\b)?${name}\(`);
  const isDeclared = (line: string) => declaration.test(line) && !/;\s*$|\breturn\b/.test(line);
  const at = lines.findIndex(isDeclared);
  if (at < 0) throw new Error(`${path} has no method ${name}.`);
  const indent = /^\s*/.exec(lines[at] ?? '')?.[0].length ?? 0;
  let from = at;
  while (/^\s*(?:\/\/|\/\*|\*|#)/.test(lines[from - 1] ?? '')) from -= 1;
  let to = at + 1;
  const isInside = (line: string) => line === '' || /^\s*/.exec(line)?.[0].length !== indent || /^\s*[{)]/.test(line);
  while (to < lines.length && isInside(lines[to] ?? '')) {
    if ((/^\s*/.exec(lines[to] ?? '')?.[0].length ?? 0) < indent && lines[to] !== '') break;
    to += 1;
  }
  if (/^\s*\}/.test(lines[to] ?? '')) to += 1;
  const cut = lines.slice(from, to).map((line) => line.slice(indent).replaceAll('\t', '    '));
  return cut.join('\n').trimEnd();
}
