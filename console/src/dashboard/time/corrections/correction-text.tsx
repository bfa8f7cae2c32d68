import type { NamedCorrection } from '@svc/sdk';
import type { ReactNode } from 'react';
import { Ago } from '../../../ui/lists/time';
import { Text } from '../../../ui/lists/value';
import { Name } from '../../nouns/reference';
import { t } from '../language/strings';
import { Changes } from '../parts/changes';
import { Member, textOfName } from '../parts/person';
import style from './corrections.module.css';

/** Whose hours a correction changes. */
export const PersonIn = ({ of: { userId, userName } }: { readonly of: NamedCorrection }) => (
  <Name id={userId} name={userName == null ? userName : textOfName(userName)} />
);

/** Whose hours a correction changes and how, why, and who proposed it. */
export const CorrectionText = ({
  of,
  timeZone,
}: {
  readonly of: NamedCorrection;
  readonly timeZone: string;
}) => (
  <div className={style.text}>
    <strong>
      <PersonIn of={of} />
    </strong>
    <Changes of={of.changes} timeZone={timeZone} />
    <span>
      {of.note === null
        ? t.causes[of.cause]
        : t.corrections.quoted(t.causes[of.cause], <Text of={of.note} />)}
    </span>
    <small>
      {proposedBy(of)}, <Ago at={of.createdAt} />
    </small>
  </div>
);

function proposedBy({ proposedBy: side, personBy, memberId }: NamedCorrection): ReactNode {
  if (side === 'person') return personBy === 'pin' ? t.corrections.byPin : t.corrections.byPhone;
  return t.corrections.byMember(memberId === null ? t.formerMember : <Member id={memberId} />);
}
