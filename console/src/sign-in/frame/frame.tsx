import { type ReactNode, useLayoutEffect } from 'react';
import { type Brand, Company, colorOf } from '../../ui/brand/company';
import { classes } from '../../ui/layout/classes';
import { Badge } from '../../ui/layout/surface';
import { t } from '../language/strings';
import { About } from './about';
import style from './frame.module.css';

/** The page around a view: a card under the company's name, in a light of its color. */
export function Frame({
  brand,
  title,
  isTest = false,
  isLoading = false,
  isSteady = false,
  children,
}: {
  readonly brand?: Brand | undefined;
  /** Of the tab. */
  readonly title: string;
  readonly isTest?: boolean;
  /** Leaves the company's place empty, because it is not known yet. */
  readonly isLoading?: boolean;
  /** Keeps the card as high as with a code, so that it doesn't jump. */
  readonly isSteady?: boolean;
  readonly children: ReactNode;
}) {
  const color = isLoading ? 'transparent' : colorOf(brand);
  // Not a style attribute, which the Content-Security-Policy forbids.
  useLayoutEffect(() => document.documentElement.style.setProperty('--company', color), [color]);
  useLayoutEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <div className={classes(style.frame, isLoading && style.loading)}>
      <main className={classes(style.card, isSteady && style.steady)}>
        <header className={style.head}>
          {isLoading ? <span className={style.place} /> : <Company brand={brand} />}
          {isTest && <Badge tone="warn">{t.test}</Badge>}
        </header>
        {children}
      </main>
      <About hasProduct={isLoading || Boolean(brand?.company?.trim())} />
    </div>
  );
}

/** A short list of buttons below a text. The main one comes first. */
export const Choices = ({ children }: { readonly children: ReactNode }) => (
  <div className={style.choices}>{children}</div>
);
