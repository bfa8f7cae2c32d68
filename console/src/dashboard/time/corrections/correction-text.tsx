import type { Correction } from '@svc/sdk';
import { Ago } from '../../../ui/lists/time';
import { Text } from '../../../ui/lists/value';
import { MemberName } from '../../nouns/members/member-name';
import { CAUSES } from '../parts/acts';
import { Changes } from '../parts/changes';
import { PersonOf } from '../parts/person-of';
import style from './corrections.module.css';

/** Whose hours a correction changes and how, why, and who proposed it. */
export const CorrectionText = ({ of, timeZone }: { readonly of: Correction; readonly timeZone: string }) => (
  <div className={style.text}>
    <strong>
      <PersonOf id={of.userId} />
    </strong>
    <Changes of={of.changes} timeZone={timeZone} />
    <span>
      {CAUSES[of.cause]}
      {of.note !== null && (
        <>
          : “<Text of={of.note} />”
        </>
      )}
    </span>
    <small>
      Proposed by{' '}
      {of.proposedBy === 'person' ? (
        <>the person{of.personBy === 'pin' ? ' with their PIN' : ' on their phone'}</>
      ) : (
        of.memberId !== null && <MemberName id={of.memberId} />
      )}{' '}
      <Ago at={of.createdAt} />
    </small>
  </div>
);
