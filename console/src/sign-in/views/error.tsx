import { TriangleAlert } from 'lucide-react';
import { Frame } from '../frame/frame';
import { Outcome } from '../frame/outcome';
import { t } from '../language/strings';
import type { PageData } from '../page-data';
import style from './error.module.css';

/** Errors of a sign-in that took too long or was opened elsewhere. All others are of the application. */
const EXPIRED = /^(session_not_found|sign_in_not_found|expired_token)$/;

/** A request of the application that can't be answered there. */
export const ErrorView = ({ brand, error, description }: Extract<PageData, { readonly view: 'error' }>) => (
  <Frame brand={brand} title={t.error.title}>
    <Outcome tone="calm" icon={TriangleAlert} title={t.error.title}>
      <p>{EXPIRED.test(error) ? t.error.expired : t.error.text}</p>
    </Outcome>
    <section className={style.details} aria-labelledby="for-developers">
      <h2 id="for-developers">{t.error.forDevelopers}</h2>
      <p>
        <code>{error}</code>
      </p>
      {description && <p lang="en">{description}</p>}
    </section>
  </Frame>
);
