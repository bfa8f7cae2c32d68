import { StrictMode } from 'react';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import { Chain, type ChainEntry } from './chain';
import { Landing } from './landing';
import { Pairing } from './pairing';

/** The landing page as HTML, for the build. `samples` is HTML, and `entries` is a chain whose hashes are valid. */
export const prerender = (samples: string, entries: readonly ChainEntry[]): string =>
  renderToString(
    <StrictMode>
      <Landing
        stills={{
          samples,
          chain: renderToStaticMarkup(<Chain entries={entries} />),
          pairing: renderToStaticMarkup(<Pairing />),
        }}
      />
    </StrictMode>,
  );
