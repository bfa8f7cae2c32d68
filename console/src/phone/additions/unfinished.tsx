import { discardJoining } from '@svc/sdk/phone';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Row } from '../../ui/layout/stack';
import { Notice } from '../../ui/layout/surface';
import { t } from '../language/strings';
import { AccountAndEnvironment } from '../parts/company/company';
import { useWork } from '../parts/use-work';
import { phoneWith } from '../ports/ports';
import { IDENTITIES } from '../vault/identities';
import { JOININGS, type Joined, type Joining, readUnfinished, resume } from './joining';

/** Additions that this phone joined, and that were interrupted. */
export function UnfinishedJoinings({ onResume }: { readonly onResume: (joined: Joined) => void }) {
  const queries = useQueryClient();
  const unfinished = useQuery({
    queryKey: JOININGS,
    queryFn: async () => {
      const found = await readUnfinished();
      // One that has expired may have become an identity.
      await queries.invalidateQueries({ queryKey: IDENTITIES });
      return found;
    },
  });
  return unfinished.data?.map((joining) => (
    <Unfinished key={joining.code} joining={joining} onResume={onResume} />
  ));
}

function Unfinished({
  joining,
  onResume,
}: {
  readonly joining: Joining;
  readonly onResume: (joined: Joined) => void;
}) {
  const queries = useQueryClient();
  const opening = useWork<never, void>(async () => onResume(await resume(joining)));
  const discard = useWork<never, void>(async () => {
    await discardJoining(phoneWith(), joining);
    await queries.invalidateQueries({ queryKey: JOININGS });
  });
  return (
    <>
      <Notice
        tone="warn"
        action={
          <Row>
            <Button busy={opening.isPending} onClick={() => opening.mutate()}>
              {t.phones.joining.resume}
            </Button>
            {!joining.isOpened && (
              <Button look="quiet" onClick={() => discard.mutate()}>
                {t.phones.joining.discard}
              </Button>
            )}
          </Row>
        }
      >
        {t.phones.joining.unfinished(<AccountAndEnvironment account={joining.found} />)}
      </Notice>
      {opening.error && <Failure error={opening.error} />}
    </>
  );
}
