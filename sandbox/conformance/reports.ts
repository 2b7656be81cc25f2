import { replaceFile } from '../store/files.ts';
import type { Report } from './finding-collector.ts';
import { type Sources, sarifReport } from './report-sarif.ts';

/** The writer of each report format. The JUnit writer is loaded only when needed. */
const formats = {
  json: async (report: Report) => `${JSON.stringify(report, null, 2)}\n`,
  junit: async (report: Report) => (await import('./report-junit.ts')).junitReport(report),
  sarif: async (report: Report, sources: Sources) => sarifReport(report, sources),
} as const;

/** A requested report file and its format. */
export interface ReportFile {
  readonly format: keyof typeof formats;
  readonly file: string;
}

/** Parses `format=file`. Returns `undefined` if the text is not of that form or the format is unknown. */
export function reportFile(text: string): ReportFile | undefined {
  const [, format = '', file = ''] = /^(\w+)=(.+)$/.exec(text) ?? [];
  return Object.hasOwn(formats, format) ? { format: format as ReportFile['format'], file } : undefined;
}

/**
 * Writes the requested report files. `sources` locates findings in the caller's repository. Rejects with the system error if a file
 * cannot be written.
 */
export async function writeReports(
  report: Report,
  files: readonly ReportFile[],
  sources: Sources = new Map(),
): Promise<void> {
  await Promise.all(files.map(async ({ format, file }) => replaceFile(file, await formats[format](report, sources))));
}
