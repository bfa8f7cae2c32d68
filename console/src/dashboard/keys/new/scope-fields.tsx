import { CheckField } from '../../../ui/forms/field';
import { SCOPE_GROUPS, type Scope } from '../scopes';
import style from './new-key.module.css';

/** All scopes with what each allows. */
export const ScopeFields = ({
  scopes,
  onToggle,
}: {
  readonly scopes: ReadonlySet<Scope>;
  readonly onToggle: (scope: Scope) => void;
}) =>
  SCOPE_GROUPS.map(([group, members]) => (
    <fieldset key={group} className={style.scopes}>
      <legend>{group}</legend>
      {members.map(([scope, allows]) => (
        <CheckField
          key={scope}
          label={scope}
          hint={allows}
          checked={scopes.has(scope)}
          onChange={() => onToggle(scope)}
        />
      ))}
    </fieldset>
  ));
