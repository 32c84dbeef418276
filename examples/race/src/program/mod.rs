//! stub
use std::process::ExitCode;
/// stub
pub fn main() -> ExitCode {
    let mut s = crate::initial_state().unwrap();
    let mut report = bitstep::tick::TickReport::default();
    for t in 0..6000u32 {
        let input = crate::autopilot::autopilot(&s);
        s.tick(&[input], &mut report);
        let c = crate::car::Chassis::of(s.world(), s.game().car.body).unwrap();
        if t % 20 == 0 { println!("{t} {:?} pos {} v {} up {} {:?} pressed {:?} {:?} {}", input.steer, c.position, c.speed(), c.up().y, crate::course::Place::of(c.position), s.game().car.pressed[0], s.game().laps, s.game().car.steer); }
    }
    ExitCode::SUCCESS
}
