import '../docs/highlight.css';
import '../docs/languages.css';
import '../ui/theme/theme.css';
import './showcase.css';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import { Chain, type ChainEntry } from './chain';
import { Landing } from './landing';
import { WORKING } from './working';

interface Made {
  /** The request in every language, as HTML. */
  readonly request: string;
  /** What the service returns, as HTML. */
  readonly answer: string;
  /** A chain whose hashes are valid. */
  readonly entries: readonly ChainEntry[];
}

const working = (name: keyof typeof WORKING) => renderToString(WORKING[name], { identifierPrefix: name });

/** The landing page as HTML, for the build. */
export const prerender = ({ request, answer, entries }: Made): string =>
  renderToStaticMarkup(
    <Landing
      request={request}
      answer={answer}
      chain={<Chain entries={entries} />}
      working={{ demo: working('demo'), leads: working('leads') }}
    />,
  );
