/** An empty address is that of the page itself, with its query. */
const own = '';

/**
 * A way to load the page again, for who reads it without JavaScript: with it the page asks again by itself. A link, no refresh: nobody's
 * reading is cut short.
 */
export function LoadAgain() {
  return (
    <noscript>
      <a className="link py-1" href={own}>
        Load again
      </a>
    </noscript>
  );
}

/** Says that what is being asked for does not come, for who reads the page without JavaScript. */
export function NeedsScript() {
  return <noscript> It is asked with JavaScript only.</noscript>;
}
