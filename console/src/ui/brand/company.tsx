import { useState } from 'react';
import { isLight } from '../color';
import { Text } from '../lists/value';
import { Brand as ProductBrand } from './brand';
import style from './company.module.css';

/** How the company looks. All of it can be missing. */
export interface Brand {
  readonly company?: string | null;
  /** `#rrggbb`. */
  readonly accentColor?: string | null;
  readonly logoUrl?: string | null;
}

/** The company's logo and name. Without a name, those of the product. */
export function Company({ brand }: { readonly brand: Brand | undefined }) {
  const name = brand?.company?.trim();
  if (!name) return <ProductBrand />;
  return (
    <p className={style.company}>
      <Tile name={name} logoUrl={brand?.logoUrl} color={colorOf(brand)} />
      <strong>
        <Text of={name} />
      </strong>
    </p>
  );
}

/** The company's logo, or the first letter of its name on its color. */
function Tile({
  name,
  logoUrl,
  color,
}: {
  readonly name: string;
  readonly logoUrl: string | null | undefined;
  readonly color: string;
}) {
  const [hasFailed, setFailed] = useState(false);
  const hasLogo = logoUrl && !hasFailed;
  return (
    <span
      className={style.tile}
      data-ink={isLight(color) ? 'dark' : 'light'}
      data-logo={hasLogo ? '' : undefined}
    >
      {hasLogo ? (
        <img src={logoUrl} alt="" onError={() => setFailed(true)} />
      ) : (
        <span aria-hidden="true">{[...name][0]?.toLocaleUpperCase()}</span>
      )}
    </span>
  );
}

const DEFAULT_COLOR = '#0a6c56';

/** The company's color, or that of the product. */
export const colorOf = (brand: Brand | undefined): string =>
  /^#[0-9a-f]{6}$/i.test(brand?.accentColor ?? '') ? (brand?.accentColor as string) : DEFAULT_COLOR;
