import type { ApiKey } from '@svc/sdk';
import { Rows } from '../../ui/lists/rows';
import { nameOfScopes } from './scopes';
import style from './scopes-of.module.css';

/** The scopes of a key by the name of their preset, or how many there are. It opens to list them. */
export const ScopesOf = ({ scopes }: Pick<ApiKey, 'scopes'>) => (
  <details className={style.scopes}>
    <summary>{nameOfScopes(scopes)}</summary>
    <Rows className={style.list}>
      {scopes.map((scope) => (
        <li key={scope}>
          <code>{scope}</code>
        </li>
      ))}
    </Rows>
  </details>
);
