import { useQuery } from '@tanstack/react-query';
import { Button } from '../../ui/forms/button';
import { Notice, Row } from '../../ui/layout/surface';
import { Time } from '../../ui/lists/time';
import { AccountName } from '../identities/account';
import { CEREMONIES, type Ceremony, readCeremonies } from './ceremony';
import { DiscardRegistration } from './discard';

export function Unfinished({ onResume }: { readonly onResume: (ceremony: Ceremony) => void }) {
  const ceremonies = useQuery({ queryKey: CEREMONIES, queryFn: readCeremonies }).data ?? [];
  return ceremonies.map((ceremony) => (
    <Notice
      key={ceremony.sessionId}
      tone="warn"
      action={
        <Row>
          <Button small onClick={() => onResume(ceremony)}>
            Continue
          </Button>
          <DiscardRegistration small look="quiet" ceremony={ceremony}>
            Discard
          </DiscardRegistration>
        </Row>
      }
    >
      A registration with <AccountName account={ceremony} /> ({ceremony.environment}) was started{' '}
      <Time at={ceremony.startedAt} /> and is not finished.
      {ceremony.unanswered &&
        ' The last response never arrived, so this phone may already be registered. Continue, or ask the desk.'}
    </Notice>
  ));
}
