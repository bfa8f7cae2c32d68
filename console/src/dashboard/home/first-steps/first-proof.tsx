import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Failure } from '../../../ui/failure';
import { Button } from '../../../ui/forms/button';
import { ButtonLink } from '../../../ui/forms/button-link';
import { useSending } from '../../../ui/forms/use-sending';
import { Notice } from '../../../ui/layout/surface';
import { inSeconds } from '../../../ui/numbers';
import { recordIn } from '../../paths';
import style from './first-proof.module.css';
import type { FirstProof as Made, Stage } from './make-first-proof';

const STAGES: Record<Stage, string> = {
  registering: 'Registering a test person …',
  proving: 'Proving who they are …',
};

/** A first proof by one click, with this browser as the phone. */
export function useFirstProof() {
  const queries = useQueryClient();
  const [stage, setStage] = useState<Stage>();
  const sending = useSending({
    mutationFn: async () => (await import('./make-first-proof')).makeFirstProof(setStage),
    onSuccess: () => void queries.invalidateQueries(),
  });
  return { ...sending, stage, make: () => sending.mutate() };
}

export const FirstProof = ({ proof }: { readonly proof: ReturnType<typeof useFirstProof> }) =>
  proof.data ? (
    <Verified made={proof.data} />
  ) : (
    <section className={style.offer} aria-label="A first proof">
      <div role="status">
        <strong>
          {proof.isPending && proof.stage ? STAGES[proof.stage] : 'See it work in a few seconds'}
        </strong>
        <p>
          This browser acts as the phone: it registers a person and proves who they are. Only your test
          environment changes.
        </p>
      </div>
      <Button look="primary" busy={proof.isPending} onClick={proof.make}>
        Make a first proof
      </Button>
      {proof.error && <Failure error={proof.error} />}
    </section>
  );

const Verified = ({ made: { verificationId, provedMs } }: { readonly made: Made }) => (
  <Notice
    tone="good"
    action={
      verificationId && (
        <ButtonLink small to={recordIn('test', 'verifications', verificationId)}>
          Show the verification
        </ButtonLink>
      )
    }
  >
    <strong>Your first proof was verified.</strong> Ada Example, a test person, proved who they are in{' '}
    {inSeconds(provedMs)}, without a password. The next step is a phone of your own.
  </Notice>
);
