//! Processes of the program, and folders for their output.

use std::{
    env, fs,
    io::{BufRead, BufReader, Read},
    path::PathBuf,
    process::{Child, ChildStdout, Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// A test that takes longer will never end.
const LIMIT: Duration = Duration::from_secs(90);

/// The instant at which a test that begins now is given up.
pub fn limit() -> Instant {
    Instant::now() + LIMIT
}

/// A folder of its own, which is removed at the end.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("fight-{}-{name}-{count}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn text(&self) -> &str {
        self.0.to_str().unwrap()
    }

    pub fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A process of the program.
pub struct Running {
    child: Child,
    out: Option<BufReader<ChildStdout>>,
    error: Option<JoinHandle<String>>,
}

impl Running {
    pub fn start(arguments: &[&str], more: &[&str], owned: &[String]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fight"));
        command.args(arguments).args(more).args(owned);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (out, mut error) = (child.stdout.take().map(BufReader::new), child.stderr.take().unwrap());
        let error = thread::spawn(move || {
            let mut text = String::new();
            let _ = error.read_to_string(&mut text);
            text
        });
        Self { child, out, error: Some(error) }
    }

    /// The address of a host, which is its first line.
    pub fn address(&mut self) -> String {
        let mut line = String::new();
        self.out.as_mut().unwrap().read_line(&mut line).unwrap();
        line.trim().strip_prefix("listening on ").unwrap_or_else(|| panic!("{line}")).to_owned()
    }

    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Waits for the end; returns the exit code, and all output.
    pub fn end(mut self) -> (u8, String) {
        let mut out = self.out.take().unwrap();
        let reader = thread::spawn(move || {
            let mut text = String::new();
            let _ = out.read_to_string(&mut text);
            text
        });
        let until = limit();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            if Instant::now() > until {
                let _ = self.child.kill();
                panic!("it did not end in {LIMIT:?}: {}", reader.join().unwrap());
            }
            thread::sleep(Duration::from_millis(10));
        };
        let text = reader.join().unwrap() + &self.error.take().unwrap().join().unwrap();
        (status.code().map_or(255, |code| code as u8), text)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs the program to its end.
pub fn fight(arguments: &[&str]) -> (u8, String) {
    Running::start(arguments, &[], &[]).end()
}

/// The number behind the first of some words.
pub fn number(text: &str, words: &str) -> u64 {
    let rest = text.split_once(words).unwrap_or_else(|| panic!("no `{words}` in {text}")).1;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap()
}
