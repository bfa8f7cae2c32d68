import { TriangleAlert } from 'lucide-react';
import { Frame } from '../frame/frame';
import { Outcome } from '../frame/outcome';
import { t } from '../language/strings';
import type { PageData } from '../page-data';
import style from './error.module.css';

/** Errors of a sign-in or sign-out that took too long or was opened elsewhere. All others are of the application. */
const EXPIRED = /^(session_not_found|sign_in_not_found|expired_token)$/;

/** A request of the application that can't be answered there. */
export function ErrorView({
  brand,
  error,
  description,
  isSignOut = false,
}: Extract<PageData, { readonly view: 'error' }>) {
  const { title, text, expired } = isSignOut ? t.error.signOut : t.error;
  return (
    <Frame brand={brand} title={title}>
      <Outcome tone="calm" icon={TriangleAlert} title={title}>
        <p>{EXPIRED.test(error) ? expired : text}</p>
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
}
