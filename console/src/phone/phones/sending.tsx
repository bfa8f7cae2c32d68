import { Notice } from '../../ui/layout/surface';
import { t } from '../language/strings';
import type { SendStage } from '../prover/prove-to-send';
import { Progress } from '../screen';

/** Only some companies ask for the passkey, and only their answer says so. */
const stepsOf = (stage: SendStage): readonly (readonly [SendStage, string])[] => [
  ['unlocking', t.phones.steps.unlocking],
  ['loading', t.phones.steps.loading],
  ['proving', t.phones.steps.proving],
  ...(stage === 'signing' ? ([['signing', t.passkey.signing]] as const) : []),
  ['sending', t.phones.steps.sending],
];

/** How far a request with a proof has come. */
export const Sending = ({ stage }: { readonly stage: SendStage | undefined }) => (
  <>
    <Progress steps={stepsOf(stepOf(stage))} now={stepOf(stage)} />
    {stage === 'waiting' && <Notice tone="warn">{t.phones.offline}</Notice>}
  </>
);

/** Waiting for a network is not a step in the list, so show the sending step instead. */
const stepOf = (stage: SendStage | undefined): SendStage =>
  stage === undefined ? 'unlocking' : stage === 'waiting' ? 'sending' : stage;
