/** Files that are written of a run, each by the writer of its format. */
import { writeFile } from 'node:fs/promises';
import type { Report } from './verdict.ts';

/** Makes the text of a file. */
export type ReportWriter = (report: Report) => string | Promise<string>;

/**
 * The writer of each format that can be asked for. The certificate has a flag of its own, and none is written of a run
 * that was ended or could not begin.
 */
export const reportWriters: Readonly<Record<string, ReportWriter>> = {
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
};

/** The formats of `--report`. */
export const reportFormats: readonly string[] = Object.keys(reportWriters).filter((name) => name !== 'certificate');

/** Whether certificates can be written. */
export const hasCertificates = Object.hasOwn(reportWriters, 'certificate');

/** A file that was asked for. */
export interface ReportFile {
  readonly format: string;
  readonly file: string;
}

/** What a certificate is not written of. */
const unfinished: readonly Report['outcome'][] = ['interrupted', 'environment', 'suite_error'];

/**
 * Writes the files that were asked for, and resolves with those that were. Rejects with the system's error where one
 * cannot be written.
 */
export async function writeReports(report: Report, files: readonly ReportFile[]): Promise<readonly ReportFile[]> {
  const wanted = files.filter(({ format }) => format !== 'certificate' || !unfinished.includes(report.outcome));
  for (const { format, file } of wanted) {
    const writer = reportWriters[format];
    if (writer === undefined) throw new Error(`no report has the format ${format}`);
    await writeFile(file, await writer(report));
  }
  return wanted;
}
