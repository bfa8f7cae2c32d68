import { OWNER_SCOPES } from '../../../generated/scopes';
import { CheckField } from '../../../ui/forms/fields/field';
import { useCan } from '../../nouns/members/needs';
import { SCOPE_GROUPS, type Scope } from '../scopes';
import style from './new-key.module.css';

/** All scopes with what each allows. */
export function ScopeFields({
  scopes,
  onToggle,
}: {
  readonly scopes: ReadonlySet<Scope>;
  readonly onToggle: (scope: Scope) => void;
}) {
  const isOwner = useCan('owner');
  return SCOPE_GROUPS.map(([group, members]) => (
    <fieldset key={group} className={style.scopes}>
      <legend>{group}</legend>
      {members.map(([scope, allows]) => {
        const isForOwners = OWNER_SCOPES.includes(scope) && !isOwner;
        return (
          <CheckField
            key={scope}
            label={scope}
            hint={isForOwners ? `${allows} (only owners make such keys)` : allows}
            disabled={isForOwners}
            checked={scopes.has(scope)}
            onChange={() => onToggle(scope)}
          />
        );
      })}
    </fieldset>
  ));
}
