/** Files that are written of a run, each by the writer of its format. */
import { replaceFile } from '../store/files.ts';
import { issueCertificate, jsonReport, type SigningKey } from './certificate.ts';
import { ctrfReport } from './reports/ctrf.ts';
import { htmlReport } from './reports/html.ts';
import { junitReport } from './reports/junit.ts';
import type { Report } from './verdict.ts';

/** What writers go by besides the report. */
export interface Writing {
  /** What fails a test case. */
  readonly failOn: 'must' | 'should';
  /** Whether a partial run is no failure. */
  readonly allowPartial: boolean;
  /** Address of the documentation. */
  readonly docs: string;
  /** The key that signs the certificate, if one was requested. */
  readonly signing: SigningKey | undefined;
}

/** The formats of `--report`, and who writes each. */
const writers = {
  json: (report: Report) => jsonReport(report),
  junit: (report: Report, { failOn, allowPartial }: Writing) => junitReport(report, failOn, { allowPartial }),
  html: (report: Report, { docs }: Writing) => htmlReport(report, docs),
  ctrf: (report: Report) => ctrfReport(report),
};

export type ReportFormat = keyof typeof writers;

export const reportFormats = Object.keys(writers) as readonly ReportFormat[];

/** A requested file. */
export interface ReportFile {
  readonly format: ReportFormat | 'certificate';
  readonly file: string;
}

/** What a certificate is not written of. */
const unfinished: readonly Report['outcome'][] = ['interrupted', 'environment', 'suite_error'];

/**
 * Writes the requested files, and resolves with those written: there is no certificate if the run did not
 * come to its end. Rejects with the system's error where one cannot be written.
 */
export async function writeReports(
  report: Report,
  files: readonly ReportFile[],
  writing: Writing,
): Promise<readonly ReportFile[]> {
  const wanted = files.filter(({ format }) => format !== 'certificate' || !unfinished.includes(report.outcome));
  for (const { format, file } of wanted) {
    await replaceFile(
      file,
      format === 'certificate' ? await certificate(report, writing) : writers[format](report, writing),
    );
  }
  return wanted;
}

async function certificate(report: Report, { signing }: Writing): Promise<string> {
  if (signing === undefined) throw new Error('there is no key to sign the certificate with');
  return `${await issueCertificate(report, signing)}\n`;
}
