import type { EvidenceVerifyOptions } from '../../checks/evidence-verify.js';
import { showChecks } from '../../checks/show-checks.js';
import type { Commands } from '../../command.js';

export function attestationCommands(commands: Commands): void {
  commands
    .group('attestation', 'keys that sign the proofs of phones')
    .command(
      'verify',
      'check the evidence of an attestation key offline, as the service did',
      async (run, [file], options) => {
        const { evidenceVerify } = await import('../../checks/evidence-verify.js');
        return showChecks(run, await evidenceVerify(file as string, options as EvidenceVerifyOptions));
      },
    )
    .argument('<file>', 'the response of GET /v1/attestation/keys/:id/evidence')
    .option('--hash <hash>', 'evidenceHash of the key, which you kept')
    .option('--origin <origin>', 'the origin of your service, such as https://id.example.com');
}
