import { replaceFile } from '../store/files.ts';
import type { Report } from './finding-collector.ts';
import { type Sources, sarifReport } from './report-sarif.ts';

/** How each is written; what only JUnit needs is loaded then. */
const formats = {
  json: async (report: Report) => `${JSON.stringify(report, null, 2)}\n`,
  junit: async (report: Report) => (await import('./report-junit.ts')).junitReport(report),
  sarif: async (report: Report, sources: Sources) => sarifReport(report, sources),
} as const;

/** A requested report file. */
export interface ReportFile {
  readonly format: keyof typeof formats;
  readonly file: string;
}

/** Reads `format=file`; undefined when it is not that. */
export function reportFile(text: string): ReportFile | undefined {
  const [, format = '', file = ''] = /^(\w+)=(.+)$/.exec(text) ?? [];
  return Object.hasOwn(formats, format) ? { format: format as ReportFile['format'], file } : undefined;
}

/**
 * Writes the requested report files; `sources` locate findings in the repository of the caller.
 * Rejects with the system's error where one cannot be written.
 */
export async function writeReports(
  report: Report,
  files: readonly ReportFile[],
  sources: Sources = new Map(),
): Promise<void> {
  await Promise.all(files.map(async ({ format, file }) => replaceFile(file, await formats[format](report, sources))));
}
