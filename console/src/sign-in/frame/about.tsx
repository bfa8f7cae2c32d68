import { ChevronDown, Fingerprint, Hash, KeyRound } from 'lucide-react';
import { Brand } from '../../ui/brand/brand';
import { t } from '../language/strings';
import style from './about.module.css';

const ICONS = [KeyRound, Fingerprint, Hash];

/** What this way of signing in is, for somebody who sees it for the first time. `hasProduct` adds the product's name, if the card doesn't have it. */
export const About = ({ hasProduct }: { readonly hasProduct: boolean }) => (
  <footer className={style.footer}>
    <details>
      <summary>
        {hasProduct && (
          <span className={style.product}>
            <Brand />
          </span>
        )}
        <span className={style.question}>
          {t.about.title}
          <ChevronDown className={style.turning} size={16} aria-hidden="true" />
        </span>
      </summary>
      <ul className={style.points}>
        {t.about.points.map(([name, text], index) => {
          const Icon = ICONS[index] ?? KeyRound;
          return (
            <li key={name}>
              <Icon size={18} aria-hidden="true" />
              <p>
                <strong>{name}</strong>
                {text}
              </p>
            </li>
          );
        })}
        <li className={style.phone}>
          <p>
            {t.about.phone(
              <a href="/phone/" target="_blank" rel="noopener">
                {`${location.host}/phone`}
              </a>,
            )}
          </p>
        </li>
      </ul>
    </details>
  </footer>
);
