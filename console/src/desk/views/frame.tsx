import { Ellipsis } from 'lucide-react';
import { type ReactNode, useContext, useLayoutEffect } from 'react';
import { type Brand, Company, colorOf } from '../../ui/brand/company';
import type { Language } from '../../ui/choose-language';
import { isLight } from '../../ui/color';
import { Button } from '../../ui/forms/button';
import { Badge } from '../../ui/layout/surface';
import { LanguageContext, othersThan, textsIn, useTexts } from '../language/language';
import style from './frame.module.css';

/** The person has chosen another language. */
export type OnLanguage = (language: Language) => void;

/** The whole screen: the company above, what happens in the middle, and what passes by itself below. */
export function Frame({
  brand,
  isTest = false,
  onLanguage,
  onMenu,
  below,
  children,
}: {
  readonly brand?: Brand | undefined;
  readonly isTest?: boolean;
  readonly onLanguage: OnLanguage;
  readonly onMenu?: () => void;
  readonly below?: ReactNode;
  readonly children?: ReactNode;
}) {
  const t = useTexts();
  const others = othersThan(useContext(LanguageContext));
  const color = colorOf(brand);
  // Not a style attribute, which the Content-Security-Policy forbids.
  useLayoutEffect(() => {
    const { style: shown } = document.documentElement;
    shown.setProperty('--company', color);
    shown.setProperty('--on-company', isLight(color) ? '#000000' : '#ffffff');
  }, [color]);
  useLayoutEffect(() => {
    document.title = brand?.company ? `${t.tab} · ${brand.company}` : t.tab;
  }, [brand?.company, t]);
  return (
    <div className={style.frame}>
      <header className={style.head}>
        <Company brand={brand} />
        {isTest && <Badge tone="warn">{t.test}</Badge>}
        <div className={style.tools}>
          {others.map((language, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the button that was pressed keeps the focus
            <Button key={at} look="quiet" lang={language} onClick={() => onLanguage(language)}>
              {textsIn(language).name}
            </Button>
          ))}
          {onMenu && (
            <Button look="quiet" aria-label={t.menu} aria-haspopup="dialog" onClick={onMenu}>
              <Ellipsis size={22} aria-hidden="true" />
            </Button>
          )}
        </div>
      </header>
      <main className={style.main} tabIndex={-1}>
        {children}
      </main>
      <footer className={style.below}>{below}</footer>
    </div>
  );
}
