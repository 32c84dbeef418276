//! The page: one file with everything in it, in which data from a recording is Base64 text only.

use super::base64;

const HTML: &str = include_str!("page/index.html");
const STYLE: &str = include_str!("page/style.css");
/// The scripts, in the order of their dependencies.
const SCRIPTS: [&str; 18] = [
    include_str!("page/bytes.js"),
    include_str!("page/head.js"),
    include_str!("page/chunk.js"),
    include_str!("page/store.js"),
    include_str!("page/vectors.js"),
    include_str!("page/camera.js"),
    include_str!("page/meshes.js"),
    include_str!("page/shaders.js"),
    include_str!("page/painter.js"),
    include_str!("page/grounds.js"),
    include_str!("page/oneway.js"),
    include_str!("page/picks.js"),
    include_str!("page/stage.js"),
    include_str!("page/marks.js"),
    include_str!("page/folds.js"),
    include_str!("page/timeline.js"),
    include_str!("page/panel.js"),
    include_str!("page/main.js"),
];

/// The page of some pieces, each of them compressed bytes.
pub fn page<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> String {
    let (head, rest) = HTML.split_once("/*STYLE*/").unwrap_or_default();
    let (body, rest) = rest.split_once("<!--PIECES-->").unwrap_or_default();
    let (script, end) = rest.split_once("/*SCRIPT*/").unwrap_or_default();
    let mut page = [head, STYLE, body].concat();
    for piece in pieces {
        page.push_str("<script type=\"text/plain\" class=\"piece\">");
        base64::put(&mut page, piece);
        page.push_str("</script>\n");
    }
    page.push_str(script);
    SCRIPTS.iter().for_each(|script| page.push_str(script));
    page.push_str(end);
    page
}
