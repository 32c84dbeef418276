//! Wavefront OBJ: points, polygons and names of materials.
//!
//! It is read here, as readers of it give floats: the decimals of the file would be rounded to those first, and then to the grid.

use super::{affine::Affine, model::Model, number::Number};

/// Statements about what a mesh does not have.
const IGNORED: [&str; 15] = [
    "vt",
    "vn",
    "vp",
    "o",
    "g",
    "s",
    "mg",
    "mtllib",
    "usemap",
    "maplib",
    "bevel",
    "lod",
    "shadow_obj",
    "trace_obj",
    "c_interp",
];

/// Reads a model; the error says the number of the line.
pub fn read(text: &str, transform: &Affine) -> Result<Model, String> {
    let mut reader = Reader { model: Model::default(), transform, material: None, name: String::new() };
    let mut lines = (1..).zip(text.split('\n'));
    while let Some((number, line)) = lines.next() {
        let mut words: Vec<&str> = Vec::new();
        let mut rest = line.trim();
        if rest.starts_with('#') {
            continue;
        }
        // A backslash at the end continues the line.
        while let Some(begun) = rest.strip_suffix('\\') {
            words.extend(begun.split_whitespace());
            rest = lines.next().map_or("", |(_, line)| line.trim_end());
        }
        words.extend(rest.split_whitespace());
        let end = words.iter().position(|word| word.starts_with('#')).unwrap_or(words.len());
        reader.statement(&words[..end]).map_err(|error| format!("{number}: {error}"))?;
    }
    Ok(reader.model)
}

struct Reader<'t> {
    model: Model,
    transform: &'t Affine,
    /// The name that faces have, and its number from the first one on.
    name: String,
    material: Option<u8>,
}

impl Reader<'_> {
    fn statement(&mut self, words: &[&str]) -> Result<(), String> {
        match words {
            [] => Ok(()),
            ["v", parts @ ..] => self.point(parts),
            ["f", corners @ ..] => self.face(corners),
            ["usemtl", name @ ..] => {
                self.name = name.join(" ");
                self.material = None;
                Ok(())
            }
            ["l" | "p", ..] => {
                self.model.left_out += 1;
                Ok(())
            }
            [word, ..] if IGNORED.contains(word) => Ok(()),
            [word, ..] => {
                let shown: String = word.chars().take(40).collect();
                Err(format!(
                    "`{shown}` is not read: a model for a mesh has points (v), faces (f) and names of materials (usemtl)"
                ))
            }
        }
    }

    /// A point; behind its coordinates a weight or a colour may follow.
    fn point(&mut self, parts: &[&str]) -> Result<(), String> {
        let ([x, y, z] | [x, y, z, _] | [x, y, z, _, _, _] | [x, y, z, _, _, _, _]) = parts else {
            return Err(format!("v has {} numbers, must have 3", parts.len()));
        };
        let part =
            |axis: &str, text: &str| Number::decimal(text).map_err(|reason| format!("v.{axis} {reason}"));
        let point = [part("x", x)?, part("y", y)?, part("z", z)?];
        self.model.point(self.transform, &point).map(|_| ()).map_err(|reason| format!("v.{reason}"))
    }

    /// A polygon, as a fan of triangles around its first corner.
    fn face(&mut self, corners: &[&str]) -> Result<(), String> {
        if corners.len() < 3 {
            return Err(format!("f has {} corners, must have at least 3", corners.len()));
        }
        let places: Vec<u32> = corners.iter().map(|text| self.corner(text)).collect::<Result<_, _>>()?;
        if !self.model.is_fan(&places) {
            return Err(
                "f is concave or folded as seen from its first corner: export the model with triangles"
                    .to_owned(),
            );
        }
        let material = match self.material {
            Some(number) => number,
            None => *self.material.insert(self.model.material(&self.name)?),
        };
        places[1..]
            .windows(2)
            .try_for_each(|pair| self.model.triangle([places[0], pair[0], pair[1]], material))
    }

    /// The place of the point of a corner such as `7`, `7/1`, `7//3` or `-1/-1/-1`: from 1, or from the last one back.
    fn corner(&self, text: &str) -> Result<u32, String> {
        let shown: String = text.chars().take(40).collect();
        let mut parts = text.split('/');
        let number = |part: &str| part.parse::<i64>().ok();
        let point = parts.next().and_then(number);
        let rest: Vec<&str> = parts.collect();
        if rest.len() > 2 || rest.iter().any(|part| !part.is_empty() && number(part).is_none()) {
            return Err(format!("f is {shown}, must be a number of a point such as 7, 7/1, 7//3 or -1"));
        }
        let count = self.model.points.len() as i64;
        match point {
            None => Err(format!("f is {shown}, must be a number of a point such as 7, 7/1, 7//3 or -1")),
            Some(point) if (1..=count).contains(&point) => Ok(point as u32 - 1),
            Some(point) if (-count..=-1).contains(&point) => Ok((count + point) as u32),
            Some(point) => Err(format!(
                "f is {point}, but {count} points precede it: must be in 1..={count} or in -{count}..=-1"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;

    use super::*;

    fn plain(text: &str) -> Result<Model, String> {
        let one = BigInt::from(1);
        read(text, &Affine::axes([[1, 0, 0], [0, 1, 0], [0, 0, 1]], (&one, &one)))
    }

    const SQUARE: &str = "v 0 0 0\nv 0 0 8\nv 8 0 8\nv 8 0 0\n";

    #[test]
    fn faces_are_fans_whichever_way_their_corners_are_named() {
        for face in [
            "f 1 2 3 4",
            "f -4 -3 -2 -1",
            "f 1/9 2/8 3/7 4/6",
            "f 1//1 2//1 3//1 4//1",
            "f 1/1/1 2/2/2 3/3/3 4/4/4",
            "f 1 2 \\\n 3 4 # all",
            "f\t1  2 3 4\r",
        ] {
            let model = plain(&format!("# a square\nmtllib a.mtl\no it\n{SQUARE}vt 0 0\nvn 0 1 0\n{face}\n"))
                .unwrap();
            assert_eq!(model.triangles, [[0, 1, 2], [0, 2, 3]], "{face}");
            assert_eq!(
                (model.names.as_slice(), model.points[1]),
                (["".to_owned()].as_slice(), [0, 0, 8 << 16])
            );
        }
    }

    #[test]
    fn materials_are_numbered_by_their_first_face() {
        let model = plain(&format!(
            "{SQUARE}usemtl unused\nusemtl wet rock\nf 1 2 3\nusemtl ice\nf 1 2 4\nf 1 3 4\nusemtl wet rock\nf 2 3 4"
        ));
        let model = model.unwrap();
        assert_eq!(model.names, ["wet rock", "ice"]);
        assert_eq!(model.materials, [0, 1, 1, 0]);
        let many: String = (0..257).map(|number| format!("usemtl m{number}\nf 1 2 3\n")).collect();
        let error = plain(&format!("{SQUARE}{many}")).err();
        assert_eq!(error.as_deref(), Some("518: material \"m256\" is one more than 256, the most of a mesh"));
    }

    #[test]
    fn lines_that_are_wrong_are_named_with_value_and_limit() {
        let must = "must be a decimal number such as 12.5 or 1e-3";
        let of_a_point = "must be a number of a point such as 7, 7/1, 7//3 or -1";
        let cases = [
            ("v 0 nan 0", format!("v.y is nan, {must}")),
            ("v inf 0 0", format!("v.x is inf, {must}")),
            ("v 0 0 -1e9", "v.z is -1000000000.000, must be at most 16384 in magnitude".to_owned()),
            ("v 1 2", "v has 2 numbers, must have 3".to_owned()),
            ("v 1 2 3 4 5", "v has 5 numbers, must have 3".to_owned()),
            ("f 1 2", "f has 2 corners, must have at least 3".to_owned()),
            ("f 1 2 5", "f is 5, but 4 points precede it: must be in 1..=4 or in -4..=-1".to_owned()),
            ("f 1 2 0", "f is 0, but 4 points precede it: must be in 1..=4 or in -4..=-1".to_owned()),
            ("f 1 2 -5", "f is -5, but 4 points precede it: must be in 1..=4 or in -4..=-1".to_owned()),
            ("f 1 2 2147483648", "f is 2147483648, but 4 points precede it: must be in 1..=4 or in -4..=-1".to_owned()),
            ("f 1 2 3/x", format!("f is 3/x, {of_a_point}")),
            ("f 1 2 3/1/1/1", format!("f is 3/1/1/1, {of_a_point}")),
            ("f 1 2 99999999999999999999", format!("f is 99999999999999999999, {of_a_point}")),
            ("f 1 2 1.5", format!("f is 1.5, {of_a_point}")),
            ("curv 0 1 1 2", "`curv` is not read: a model for a mesh has points (v), faces (f) and names of materials (usemtl)".to_owned()),
        ];
        for (line, expected) in cases {
            let error = plain(&format!("{SQUARE}{line}\nf 1 2 3\n")).err();
            assert_eq!(error, Some(format!("5: {expected}")), "{line}");
        }
    }

    #[test]
    fn a_concave_polygon_is_refused_where_its_fan_would_overlap() {
        let dart = "v 0 0 0\nv 4 0 1\nv 1 0 1\nv 1 0 4\n";
        assert!(plain(&format!("{dart}f 1 2 3 4")).is_ok(), "the fan from the far corner holds");
        let error = plain(&format!("{dart}f 2 3 4 1")).err();
        let told = "5: f is concave or folded as seen from its first corner: export the model with triangles";
        assert_eq!(error.as_deref(), Some(told));
        assert!(plain(&format!("{dart}f 1 2 2 3 4 4")).is_ok(), "repeated corners have no area");
    }
}
