"""A controller for {stem}.yaml: PD on the hub, softened by what the strain gauge at the root feels."""


class Controller:
    """Called once per period; what it returns is the torque of the motor in N*m (a list if several joints are driven)."""

    def __init__(self):
        self.kp, self.kv = 3.0, 0.6  # N*m/rad, N*m*s/rad
        self.share = 500.0  # N*m per unit of strain

    def __call__(self, time, reading):
        """`reading` holds numbers in SI units by name; print(list(reading)) shows what there is."""
        position, velocity = reading.reference[0]  # commanded, of the first joint
        follow = self.kp * (position - reading["link.position"]) + self.kv * (velocity - reading["link.velocity"])
        return follow + self.share * reading["root"]
