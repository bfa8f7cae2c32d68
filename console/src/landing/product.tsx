import dashboardDark from './pictures/dashboard-dark.webp';
import dashboardDarkSmall from './pictures/dashboard-dark-small.webp';
import dashboardLight from './pictures/dashboard-light.webp';
import dashboardLightSmall from './pictures/dashboard-light-small.webp';
import deskDark from './pictures/desk-dark.webp';
import deskDarkSmall from './pictures/desk-dark-small.webp';
import deskLight from './pictures/desk-light.webp';
import deskLightSmall from './pictures/desk-light-small.webp';
import phoneDark from './pictures/phone-dark.webp';
import phoneDarkSmall from './pictures/phone-dark-small.webp';
import phoneLight from './pictures/phone-light.webp';
import phoneLightSmall from './pictures/phone-light-small.webp';
import style from './product.module.css';

/** Real pages of an example company, one over the other. `console/test/product-pictures.test.ts` takes them. */
export const Product = () => (
  <figure className={style.product}>
    <Picture
      name="dashboard"
      light={[dashboardLight, dashboardLightSmall]}
      dark={[dashboardDark, dashboardDarkSmall]}
      size={[1920, 1200]}
      shown="(max-width: 40rem) 92vw, 61rem"
      alt="The dashboard: what needs attention, who signed in today, and a chart of the sign-ins of each hour"
    />
    <Picture
      name="desk"
      light={[deskLight, deskLightSmall]}
      dark={[deskDark, deskDarkSmall]}
      size={[1280, 900]}
      shown="(max-width: 40rem) 66vw, 27rem"
      alt="The desk, a tablet at the reception: a QR code to scan, and the number to type on the phone"
    />
    <Picture
      name="phone"
      light={[phoneLight, phoneLightSmall]}
      dark={[phoneDark, phoneDarkSmall]}
      size={[720, 1480]}
      shown="(max-width: 40rem) 27vw, 12rem"
      alt="The phone: a tick, and “Signed in” at Northwind Traders"
    />
    <figcaption>Dashboard, desk and phone of an example company</figcaption>
  </figure>
);

type Sizes = readonly [large: string, small: string];

const Picture = ({
  name,
  light,
  dark,
  size: [width, height],
  shown,
  alt,
}: {
  readonly name: 'dashboard' | 'desk' | 'phone';
  readonly light: Sizes;
  readonly dark: Sizes;
  /** Of the large one. The small one is half as wide. */
  readonly size: readonly [width: number, height: number];
  readonly shown: string;
  readonly alt: string;
}) => {
  const setOf = ([large, small]: Sizes) => `${small} ${width / 2}w, ${large} ${width}w`;
  const size = { width, height, sizes: shown };
  return (
    <picture className={style[name]}>
      <source {...size} media="(prefers-color-scheme: dark)" srcSet={setOf(dark)} />
      <img {...size} srcSet={setOf(light)} src={light[0]} alt={alt} fetchPriority="high" decoding="async" />
    </picture>
  );
};
