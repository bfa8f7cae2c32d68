import { useQuery } from '@tanstack/react-query';
import { Button } from '../../ui/forms/button';
import { Notice, Row } from '../../ui/layout/surface';
import { Time } from '../../ui/lists/time';
import { AccountName } from '../identities/account';
import { begunCeremonies, CEREMONIES, type Ceremony } from './ceremony';
import { GiveUp } from './give-up';

/** Registrations that broke off half-way: to go on with, or to give up. */
export function Unfinished({ onResume }: { readonly onResume: (ceremony: Ceremony) => void }) {
  const begun = useQuery({ queryKey: CEREMONIES, queryFn: begunCeremonies }).data ?? [];
  return begun.map((ceremony) => (
    <Notice
      key={ceremony.sessionId}
      tone="warn"
      action={
        <Row>
          <Button small onClick={() => onResume(ceremony)}>
            Go on with it
          </Button>
          <GiveUp small look="quiet" ceremony={ceremony}>
            Give it up
          </GiveUp>
        </Row>
      }
    >
      A registration with <AccountName account={ceremony} /> ({ceremony.environment}) was begun{' '}
      <Time at={ceremony.startedAt} /> and is not finished.
      {ceremony.unanswered &&
        ' Its last answer never came, so it may be registered already: go on with it, or ask the desk.'}
    </Notice>
  ));
}
