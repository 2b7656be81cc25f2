/** The command line of certificates: its flags and help. */
import { Command } from 'commander';

const help = `
Examples:
  rewards-sandbox certificate verify certificate.jws                          is it whole, what does it say
  rewards-sandbox certificate verify certificate.jws --report report.json     and is it about this report
  rewards-sandbox certificate verify certificate.jws --witness-key platform.pub.pem --require-witness
                                                                              and did this witness sign it
  rewards-sandbox certificate badge certificate.jws > certified.svg

Anyone can make a certificate with a key of their own. Without --witness-key, the first line says that nobody vouches for
the key; with --require-witness, such a certificate is refused.

Exit codes:
  0 whole, and the run passed   1 not to be believed, or the run did not pass
  2 usage   3 a file cannot be read`;

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
    .description('Check certificates of client servers.')
    .exitOverride();
  certificate.addHelpText('after', help);
  const command = (name: string, description: string) =>
    certificate
      .command(name)
      .exitOverride()
      .argument('<file>', 'a certificate that certify wrote')
      .description(description)
      .option('--witness-key <file>', 'the public key of the witness, in PEM: refuse a certificate of another key')
      .option('--require-witness', 'refuse a certificate that no witness signed with the key that was given')
      .addHelpText('after', help);
  command('verify', 'Say whether a certificate is whole, what it says and who signed it. Works without a network.')
    .option('--report <file>', 'the JSON report that it is said to be about')
    .option('--json', 'print what it says as JSON')
    .action(actions.verify);
  command('badge', 'Print an SVG badge of a certificate.').action(actions.badge);
  return program;
}
