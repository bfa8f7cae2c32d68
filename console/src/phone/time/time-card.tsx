import { canSendAgain } from '@svc/sdk/time';
import { useQuery } from '@tanstack/react-query';
import { ChevronRight, Clock } from 'lucide-react';
import { AccountName } from '../parts/company/company';
import choices from '../parts/lists/choices.module.css';
import { svc } from '../service';
import { IDENTITIES, idOf, readIdentities } from '../vault/identities';
import { actOf } from './acts';
import { clockText, rowText } from './format';
import { type KeptTime, readKept, TIME } from './kept';
import { tt } from './texts';

/** On the first screen: what this phone recorded last, for each identity that comes and goes. */
export function TimeCard({ onTime }: { readonly onTime: (id: string) => void }) {
  const identities = useQuery({ queryKey: IDENTITIES, queryFn: readIdentities }).data ?? [];
  const kept = useQuery({ queryKey: TIME, queryFn: readKept }).data ?? [];
  const shown = identities.flatMap((identity) => {
    const time = kept.find(({ id }) => id === idOf(identity));
    return time && identity.confirmed ? [{ identity, time }] : [];
  });
  if (shown.length === 0) return null;
  return (
    <ul className={choices.choices}>
      {shown.map(({ identity, time }) => (
        <li key={identity.id}>
          <button type="button" className={choices.choice} onClick={() => onTime(identity.id)}>
            <Clock size={22} aria-hidden="true" />
            <span>
              <strong>
                {tt.title}, <AccountName account={identity} />
              </strong>
              <span className={choices.about}>{lastText(time)}</span>
            </span>
            <ChevronRight size={18} aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  );
}

const lastText = ({ last, unanswered }: KeptTime): string => {
  if (unanswered && canSendAgain(unanswered, svc.serverNow()))
    return tt.attend.lost(tt.acts[actOf(unanswered.statement)], clockText(unanswered.statement.scannedAt));
  return last ? rowText(last) : tt.about;
};
