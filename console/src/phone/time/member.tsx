import type { Stage } from '@svc/sdk/phone';
import { linkMember, type MemberLinkCode } from '@svc/sdk/time';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Facts, Notice } from '../../ui/layout/surface';
import { Text } from '../../ui/lists/value';
import { isRetryable } from '../language/messages';
import { t } from '../language/strings';
import { Asking } from '../parts/company/company';
import { Success } from '../parts/screen/outcome';
import { Actions, Screen } from '../parts/screen/screen';
import screen from '../parts/screen/screen.module.css';
import { Sending } from '../parts/screen/sending';
import { useHasBeenVisible } from '../parts/use-visible';
import { useWork } from '../parts/use-work';
import { phoneWith } from '../ports/ports';
import type { Identity } from '../vault/identities';
import { inWords, tt } from './texts';

/** Asks whether a log-in of the team is the person's own, and shows that by a proof. */
export function Member({
  identity,
  code,
  onClose,
}: {
  readonly identity: Identity;
  readonly code: MemberLinkCode;
  readonly onClose: () => void;
}) {
  const isReady = useHasBeenVisible();
  const work = useWork<Stage, true>(async (watch) => {
    try {
      await linkMember(phoneWith(), identity.id, code, watch);
      return true;
    } catch (error) {
      throw inWords(error);
    }
  });
  if (work.data)
    return (
      <Success title={tt.member.done} action={t.done} onAction={onClose}>
        <p>{tt.member.doneText}</p>
      </Success>
    );
  const { error } = work;
  return (
    <Screen title={tt.member.title} lead={<Asking account={identity} />}>
      <Facts facts={[[tt.member.logIn, <Text key="email" of={code.email} />]]} />
      <p className={screen.soft}>{tt.member.text}</p>
      <Notice tone="warn">{tt.member.warning}</Notice>
      {work.isPending && <Sending stage={work.stage} />}
      {error && (
        <Failure error={error} onRetry={isRetryable(error) ? () => work.mutate(undefined) : undefined} />
      )}
      <Actions>
        <Button onClick={onClose}>{tt.member.no}</Button>
        <Button look="primary" busy={!isReady || work.isPending} onClick={() => work.mutate(undefined)}>
          {tt.member.yes}
        </Button>
      </Actions>
    </Screen>
  );
}
