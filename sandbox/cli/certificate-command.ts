/** The command line of certificates: its flags and help. */
import { Command } from 'commander';

const help = `
Examples:
  rewards-sandbox certificate verify certificate.jws                          check the signature, show the result
  rewards-sandbox certificate verify certificate.jws --report report.json     also check that it covers this report
  rewards-sandbox certificate verify certificate.jws --witness-key platform.pub.pem --require-witness
                                                                              also check that this witness signed it
  rewards-sandbox certificate badge certificate.jws > certified.svg

Anyone can sign a certificate with their own key. Without --witness-key, the first line warns that the signing key is not
verified. With --require-witness, such a certificate is rejected.

Exit codes:
  0 valid, and the run passed   1 invalid, or the run did not pass
  2 usage error   3 a file cannot be read`;

/** Who must have signed a certificate. */
export interface SignerFlags {
  readonly witnessKey?: string;
  readonly requireWitness?: boolean;
}

export interface VerifyFlags extends SignerFlags {
  readonly report?: string;
  readonly json?: boolean;
}

/** What is done with a certificate in a file. */
export interface CertificateActions {
  verify(file: string, flags: VerifyFlags): Promise<void>;
  badge(file: string, flags: SignerFlags): Promise<void>;
}

/** `certificate verify` and `certificate badge`. */
export function certificateCommand(version: string, actions: CertificateActions): Command {
  const program = new Command('rewards-sandbox').version(version).exitOverride();
  const certificate = program
    .command('certificate')
    .description('Verify the certificates of client servers.')
    .exitOverride();
  certificate.addHelpText('after', help);
  const command = (name: string, description: string) =>
    certificate
      .command(name)
      .exitOverride()
      .argument('<file>', 'certificate written by certify')
      .description(description)
      .option('--witness-key <file>', 'public key of the witness (PEM); reject certificates signed with another key')
      .option('--require-witness', 'reject certificates that are not signed with the --witness-key')
      .addHelpText('after', help);
  command('verify', 'Verify the signature of a certificate, and show its result and signer. Works offline.')
    .option('--report <file>', 'JSON report to compare with the certificate')
    .option('--json', 'print the contents as JSON')
    .action(actions.verify);
  command('badge', 'Print an SVG badge of a certificate.').action(actions.badge);
  return program;
}
