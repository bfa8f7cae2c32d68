import type { Stage } from '@svc/sdk/phone';
import { Notice } from '../../../ui/layout/surface';
import { t } from '../../language/strings';
import { Progress, stepOf } from './progress';

/** Only some companies ask for the passkey, and only their answer says so. */
const stepsOf = (stage: Stage): readonly (readonly [Stage, string])[] => [
  ['unlocking', t.phones.steps.unlocking],
  ['loading', t.phones.steps.loading],
  ['proving', t.phones.steps.proving],
  ...(stage === 'signing' ? ([['signing', t.passkey.signing]] as const) : []),
  ['sending', t.phones.steps.sending],
];

/** How far a request with a proof has come. */
export const Sending = ({ stage }: { readonly stage: Stage | undefined }) => (
  <>
    <Progress steps={stepsOf(stepOf(stage))} now={stepOf(stage)} />
    {stage === 'waiting' && <Notice tone="warn">{t.phones.offline}</Notice>}
  </>
);
