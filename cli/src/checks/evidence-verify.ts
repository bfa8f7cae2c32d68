import { readFile, stat } from 'node:fs/promises';
import { type Check, fail, ok, warn } from '@svc/server/doctor';
import {
  checkKeptEvidence,
  type EvidenceVerdict,
  type KeptEvidence,
  readKeptEvidence,
} from '@svc/server/evidence';
import { UsageError } from '../failure.js';
import { plain } from '../terminal.js';

const MAX_BYTES = 64 * 1024;

export interface EvidenceVerifyOptions {
  readonly origin?: string | undefined;
  readonly hash?: string | undefined;
}

/** What `svc attestation verify` prints. @throws UsageError for a file that holds no evidence */
export async function evidenceVerify(
  file: string,
  { origin, hash }: EvidenceVerifyOptions = {},
): Promise<Check[]> {
  const kept = readKeptEvidence(await readStart(file));
  if (kept === undefined)
    throw new UsageError(
      `${file} contains no evidence. Pass the response of GET /v1/attestation/keys/:id/evidence, unchanged.`,
    );
  const verdict = await checkKeptEvidence(kept);
  return [hashCheck(kept, verdict, hash), originCheck(kept, origin), ...passkeyChecks(kept, verdict)];
}

function hashCheck({ evidenceHash }: KeptEvidence, { isHashRight }: EvidenceVerdict, known?: string): Check {
  const name = 'hash';
  if (!isHashRight)
    return fail(
      name,
      'The evidence does not have the hash in the file.',
      'The file was changed. Use another copy.',
    );
  if (known !== undefined && known !== evidenceHash)
    return fail(
      name,
      `The evidence has the hash ${plain(evidenceHash)}, not the one that you passed.`,
      'Check that the file belongs to this attestation key.',
    );
  return known === undefined
    ? warn(
        name,
        `${plain(evidenceHash)}, which only the file says.`,
        'Pass --hash with evidenceHash of the key, or of the audit entry attestation.added.',
      )
    : ok(name, evidenceHash);
}

function originCheck({ origin }: KeptEvidence, known?: string): Check {
  const name = 'origin';
  if (known !== undefined && known !== origin)
    return fail(
      name,
      `The passkey was made on ${plain(origin)}, not on ${plain(known)}.`,
      'Check whose file this is.',
    );
  return known === undefined
    ? warn(
        name,
        `${plain(origin)}, which only the file says.`,
        'Pass --origin with the address of your service.',
      )
    : ok(name, plain(origin));
}

function passkeyChecks(kept: KeptEvidence, { checked }: EvidenceVerdict): Check[] {
  if ('refused' in checked)
    return [
      fail('passkey', `The service would reject it: ${plain(checked.refused)}.`, 'Do not rely on this key.'),
    ];
  const { credentialId, backupEligible, backedUp, counter } = checked;
  const sync = backupEligible
    ? `may be on other devices (${backedUp ? 'is' : 'is not yet'})`
    : 'stays on one device';
  return [
    ok(
      'passkey',
      `${credentialId}, unlocked by the person when it was enrolled. It ${sync}. Counter: ${counter}.`,
    ),
    ok(
      'enrolment',
      `signed the challenge of ${plain(kept.did)} in ${plain(kept.tenantId)} (${plain(kept.environment)})`,
    ),
  ];
}

async function readStart(file: string): Promise<string> {
  try {
    if ((await stat(file)).size > MAX_BYTES) throw new UsageError(`${file} is too large for evidence.`);
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`The file cannot be read: ${(error as Error).message}`);
  }
}
