import { Ellipsis } from 'lucide-react';
import { type ReactNode, useLayoutEffect } from 'react';
import { type Brand, Company, colorOf } from '../../ui/brand/company';
import type { Language } from '../../ui/choose-language';
import { isLight } from '../../ui/color';
import { Button } from '../../ui/forms/button';
import { Badge } from '../../ui/layout/surface';
import { useTexts } from '../language/language';
import style from './frame.module.css';

export interface Switching {
  /** Of the other language, in that language. */
  readonly name: string;
  readonly language: Language;
  readonly onSwitch: () => void;
}

/** The whole screen: the company above, what happens in the middle, and what passes by itself below. */
export function Frame({
  brand,
  isTest = false,
  switching,
  onMenu,
  below,
  children,
}: {
  readonly brand?: Brand | undefined;
  readonly isTest?: boolean;
  readonly switching: Switching;
  readonly onMenu?: () => void;
  readonly below?: ReactNode;
  readonly children?: ReactNode;
}) {
  const t = useTexts();
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
          <Button look="quiet" lang={switching.language} onClick={switching.onSwitch}>
            {switching.name}
          </Button>
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
