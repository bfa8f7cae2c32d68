import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from '../../ui/button';
import { Notice, Row } from '../../ui/surface';
import { Time } from '../../ui/time';
import { AccountName } from '../identities/account';
import { begunCeremonies, CEREMONIES, type Ceremony, dropCeremony } from './ceremony';

/** Registrations that broke off half-way: to go on with, or to give up. */
export function Unfinished({ onResume }: { readonly onResume: (ceremony: Ceremony) => void }) {
  const queries = useQueryClient();
  const begun = useQuery({ queryKey: CEREMONIES, queryFn: begunCeremonies }).data ?? [];
  const giveUp = async (ceremony: Ceremony) => {
    await dropCeremony(ceremony);
    await queries.invalidateQueries({ queryKey: CEREMONIES });
  };
  return begun.map((ceremony) => (
    <Notice key={ceremony.sessionId} tone="warn">
      <span>
        A registration with <AccountName account={ceremony} /> ({ceremony.environment}) was begun{' '}
        <Time at={ceremony.startedAt} /> and is not finished.
      </span>
      <Row>
        <Button small onClick={() => onResume(ceremony)}>
          Go on with it
        </Button>
        <Button small look="quiet" onClick={() => void giveUp(ceremony)}>
          Give it up
        </Button>
      </Row>
    </Notice>
  ));
}
