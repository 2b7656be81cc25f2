/** The command line of certificates: its flags and help. */
import { Command } from 'commander';

const help = `
Examples:
  rewards-sandbox certificate verify certificate.jws                          is it whole, what does it say, who signed it
  rewards-sandbox certificate verify certificate.jws --report report.json     and is it about this report
  rewards-sandbox certificate verify certificate.jws --witness-key platform.pub.pem    and did this witness sign it
  rewards-sandbox certificate badge certificate.jws > certified.svg

Exit codes:
  0 whole, and the run passed   1 changed, cut, of another report or key, or the run did not pass
  2 usage   3 a file cannot be read`;

export interface VerifyFlags {
  readonly report?: string;
  readonly witnessKey?: string;
  readonly json?: boolean;
}

/** What is done with a certificate in a file. */
export interface CertificateActions {
  verify(file: string, flags: VerifyFlags): Promise<void>;
  badge(file: string): Promise<void>;
}

/** `certificate verify` and `certificate badge`. */
export function certificateCommand(version: string, actions: CertificateActions): Command {
  const program = new Command('rewards-sandbox').version(version).exitOverride();
  const certificate = program
    .command('certificate')
    .description('Check certificates of client servers.')
    .exitOverride();
  certificate.addHelpText('after', help);
  certificate
    .command('verify')
    .exitOverride()
    .argument('<file>', 'a certificate that certify wrote')
    .description('Say whether a certificate is whole, what it says and who signed it. Works without a network.')
    .option('--report <file>', 'the JSON report that it is said to be about')
    .option('--witness-key <file>', 'the public key of the witness, in PEM')
    .option('--json', 'print what it says as JSON')
    .addHelpText('after', help)
    .action(actions.verify);
  certificate
    .command('badge')
    .exitOverride()
    .argument('<file>', 'a certificate that certify wrote')
    .description('Make an SVG badge of a certificate, on standard output.')
    .addHelpText('after', help)
    .action(actions.badge);
  return program;
}
