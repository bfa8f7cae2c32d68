import { useQuery } from '@tanstack/react-query';
import { Button } from '../../ui/forms/button';
import { Row } from '../../ui/layout/stack';
import { Notice } from '../../ui/layout/surface';
import { Time } from '../../ui/lists/time';
import { t } from '../language/strings';
import { AccountAndEnvironment } from '../parts/company/company';
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
          <Button onClick={() => onResume(ceremony)}>{t.unfinished.resume}</Button>
          <DiscardRegistration look="quiet" ceremony={ceremony}>
            {t.register.discard}
          </DiscardRegistration>
        </Row>
      }
    >
      {t.unfinished.text(<AccountAndEnvironment account={ceremony} />, <Time at={ceremony.startedAt} />)}{' '}
      {ceremony.unanswered && t.unfinished.maybeRegistered}
    </Notice>
  ));
}
