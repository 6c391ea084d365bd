"""What the lines show: the numbers of the result, in the unit that the label states."""

from types import SimpleNamespace

import numpy as np
import pytest

from flexarm.errors import OutputError
from flexarm.view import figure
from flexarm.view.arm import arm
from flexarm.view.deflection import deflection
from flexarm.view.modes import modes as draw_modes
from flexarm.view.source import instants
from flexarm.view.spectrum import content_end, hertz, spectrum, spread, tops
from flexarm.view.surface import bending, movement, surface


def line(axes, label):
    (found,) = [line for line in axes.lines if line.get_label() == label]
    return found


def test_tip_of_a_single_link_shows_travel_and_its_rigid_part(single):
    upper, lower = figure(single, "tip").axes
    data = single.data
    assert "(mm)" in upper.get_ylabel()
    assert line(upper, "flexible").get_ydata() == pytest.approx(1e3 * data["travel"].values)
    angle = data["joint_position"].values[:, 0]
    rigid = line(upper, "rigid part (length × hub angle)").get_ydata()
    assert rigid == pytest.approx(960 * angle, abs=1e-9)
    assert lower.get_legend() is None, "one line needs no legend"
    assert "Hub angle (°)" in lower.get_ylabel()
    assert lower.lines[0].get_ydata() == pytest.approx(np.degrees(angle))


def test_tip_of_several_links_shows_the_rigid_arm_at_the_command(planar, without):
    upper = figure(planar, "tip").axes[0]
    dashed = [line for line in upper.lines if line.get_linestyle() == "--" and len(line.get_xdata())]
    command = planar.data["motor_position"].values
    x = np.cos(command[:, 0]) + 0.8 * np.cos(command.sum(axis=1))
    assert dashed[0].get_ydata() == pytest.approx(x)
    words = [text.get_text() for text in upper.get_legend().get_texts()]
    assert "rigid arm at commanded joints" in words
    other = figure(without(planar, "tip_error"), "tip").axes[0]
    assert "rigid arm at actual joints" in [text.get_text() for text in other.get_legend().get_texts()]


def test_errors_of_a_planar_arm_leave_out_the_idle_axis(planar):
    panels = figure(planar, "tip_error").axes
    labels = [axes.get_ylabel().replace("\n", " ") for axes in panels]
    assert labels == [
        "Tip minus stiff arm at the commanded joints (mm)",
        "Tip minus stiff arm at the actual joints (mm)",
        "Tip minus wanted path (mm)",
    ]
    labels = [line.get_label() for line in panels[0].lines]
    assert labels == ["x", "y", "distance"]
    distance = np.linalg.norm(planar.data["tip_error"].values, axis=1)
    assert line(panels[0], "distance").get_ydata() == pytest.approx(1e3 * distance)


def test_torque_has_a_panel_per_joint_with_all_three_lines(spatial):
    panels = figure(spatial, "torque").axes
    assert [axes.get_ylabel() for axes in panels] == [f"Torque, {j} (kN·m)" for j in ("column", "upper", "fore")]
    for i, axes in enumerate(panels):
        for label, name in (("through the joint", "joint_torque"), ("rigid arm", "rigid_torque")):
            assert line(axes, label).get_ydata() == pytest.approx(1e-3 * spatial.data[name].values[:, i])


def test_units_of_arms_with_both_kinds_of_joint(planar):
    from flexarm.view.source import joint_units

    data = planar.data.copy()
    data["joint_position"] = data["joint_position"].assign_attrs(units="rad or m")
    data["joint_velocity"] = data["joint_velocity"].assign_attrs(units="rad or m/s")
    data["joint_torque"] = data["joint_torque"].assign_attrs(units="N*m or N")
    kinds = (("upper", "prismatic"), ("fore", "revolute"))
    links = [SimpleNamespace(name=n, joint=SimpleNamespace(type=k)) for n, k in kinds]
    mixed = SimpleNamespace(data=data, scenario=SimpleNamespace(arm=SimpleNamespace(links=links)))
    assert joint_units(mixed, "joint_position") == ["m", "rad"]
    assert joint_units(mixed, "joint_velocity") == ["m/s", "rad/s"]
    assert joint_units(mixed, "joint_torque") == ["N", "N*m"]
    data["joint_position"] = data["joint_position"].assign_attrs(units="m")
    assert joint_units(SimpleNamespace(data=data, scenario=None), "joint_position") == ["m", "m"]


def test_prismatic_joints_have_metres_and_newtons(planar):
    kinds = {"upper": "revolute", "fore": "prismatic"}
    links = [SimpleNamespace(name=n, joint=SimpleNamespace(type=k)) for n, k in kinds.items()]
    scenario = SimpleNamespace(arm=SimpleNamespace(links=links))
    mixed = SimpleNamespace(data=planar.data.isel(link=slice(0, 2)), scenario=scenario)
    assert [axes.get_ylabel() for axes in figure(mixed, "torque").axes] == [
        "Torque, upper (N·m)",
        "Force, fore (N)",
    ]
    labels = [axes.get_ylabel() for axes in figure(mixed, "joints").axes]
    assert labels == ["Joint angle (°)", "Joint rate (°/s)", "Joint extension (m)", "Joint speed (m/s)"]
    assert len(figure(mixed, "tip").axes[1].lines) == 1


def test_a_motor_without_spring_is_no_line_of_its_own(single):
    stiff = single.data.assign(motor_position=single.data["joint_position"])
    left = figure(SimpleNamespace(data=stiff, scenario=None), "joints").axes[0]
    assert len(left.lines) == 1 and left.get_legend() is None


def test_tip_of_a_commanded_single_link(single):
    command = 1.1 * single.data["joint_position"]
    data = single.data.assign(commanded_position=command)
    upper, lower = figure(SimpleNamespace(data=data, scenario=None), "tip").axes
    wanted = 960 * command.values[:, 0]
    assert line(upper, "rigid arm at commanded joint").get_ydata() == pytest.approx(wanted, abs=1e-9)
    assert [text.get_text() for text in lower.get_legend().get_texts()] == ["link", "commanded"]


def test_commanded_joints_are_dashed(planar):
    command = planar.data["motor_position"]
    data = planar.data.assign(commanded_position=command)
    left = figure(SimpleNamespace(data=data, scenario=None), "joints").axes[0]
    dashed = [line for line in left.lines if line.get_linestyle() == "--" and len(line.get_xdata())]
    assert len(dashed) == 2
    assert dashed[1].get_ydata() == pytest.approx(np.degrees(command.values[:, 1]))
    assert [t.get_text() for t in left.get_legend().get_texts()] == [
        "upper",
        "fore",
        "commanded",
        "motor side",
    ]


def test_strain_is_in_micrometres_per_metre(single):
    (axes,) = figure(single, "strain").axes
    assert axes.get_ylabel() == "Strain (µm/m)"
    assert line(axes, "root").get_ydata() == pytest.approx(1e6 * single.data["strain"].values[:, 0])


def test_energy_residual_has_its_own_panel_as_a_share_of_the_largest_energy(planar):
    upper, lower = figure(planar, "energy").axes
    assert upper.get_ylabel() == "Energy (J)" and lower.get_ylabel() == "Residual\n(10⁻⁹)"
    assert "gravity" not in [line.get_label() for line in upper.lines], "a kind that never changes"
    rest, whole = planar.data["energy"].sel(kind="residual").values, np.abs(planar.data["energy"].values).max()
    assert lower.lines[0].get_ydata() == pytest.approx(1e9 * rest / whole)
    assert lower.texts[0].get_text() == f"at most {np.abs(rest).max() / whole:.1e} of the largest energy"


def with_energy(result, **change):
    energy = result.data["energy"].copy()
    for kind, values in change.items():
        energy.loc[{"kind": kind}] = values
    return SimpleNamespace(data=result.data.assign(energy=energy), scenario=None)


def test_energy_shows_changes_however_high_the_arm_stands(planar):
    time = planar.data["time"].values
    upper = figure(with_energy(planar, gravity=1000.0 + 0.5 * time), "energy").axes[0]
    assert upper.get_ylabel() == "Energy since the start (J)"
    assert line(upper, "gravity").get_ydata() == pytest.approx(0.5 * time)
    small = figure(with_energy(planar, numerical=2e-6 * time), "energy").axes[0]
    (word,) = [line.get_label() for line in small.lines if line.get_label().startswith("numerical")]
    assert word == "numerical (at most 2.4 µJ)", "a line that lies on zero is told with its size"


def test_a_residual_of_rounding_looks_like_zero_and_is_called_so(planar):
    whole = np.abs(planar.data["energy"].values).max()
    tiny = figure(with_energy(planar, residual=1e-15 * whole * np.sin(planar.data["time"].values)), "energy").axes[1]
    assert np.abs(tiny.lines[0].get_ydata()).max() < 1e-3 * tiny.get_ylim()[1]
    assert tiny.texts[0].get_text().endswith(": rounding")
    coarse = figure(with_energy(planar, residual=0.01 * whole), "energy").axes[1]
    assert coarse.get_ylabel() == "Residual\n(%)" and coarse.lines[0].get_ydata().max() == pytest.approx(1.0)


def test_deflection_shows_the_wanted_instants_and_the_largest(single):
    axes = deflection(single, at=[0.1, 0.5]).axes[0]
    labels = [line.get_label() for line in axes.lines]
    array = single.data["deflection"].values[:, 0]
    peak = np.abs(array).max(axis=1).argmax()
    assert labels == ["0.1 s", "0.5 s", f"{single.data['time'].values[peak]:.3g} s, largest"]
    assert axes.lines[1].get_ydata()[::8] == pytest.approx(1e3 * array[500]), "through all stations"
    assert axes.lines[0].get_xdata()[-1] == pytest.approx(0.96)
    assert len(deflection(single, at=4).axes[0].lines) == 5
    assert {line.get_linestyle() for line in deflection(single, at=9).axes[0].lines} == {"-"}


def test_deflection_leaves_out_rigid_links(spatial):
    labels = [axes.get_ylabel() for axes in deflection(spatial).axes]
    assert not any("column" in label for label in labels)
    assert sum("upper" in label or "fore" in label for label in labels) == 2


def test_section_forces_show_their_range_and_their_worst(single, spatial):
    made = figure(single, "forces")
    labels = [axes.get_ylabel() for axes in made.axes]
    assert labels == ["Bending moment (mN·m)", "At the roots (mN·m)", "Shear force (mN)", "At the roots (mN)"]
    array = single.data["bending_moment"].values[:, 0]
    along, over = made.axes[:2]
    (band,) = along.collections
    height = band.get_paths()[0].vertices[:, 1]
    assert (height.min(), height.max()) == pytest.approx((1e3 * array.min(), 1e3 * array.max()))
    instant, worst = np.unravel_index(np.abs(array).argmax(), array.shape)
    assert along.lines[0].get_ydata() == pytest.approx(1e3 * array[instant])
    assert over.lines[0].get_ydata() == pytest.approx(1e3 * array[:, worst])
    names = [line.get_label().split()[0] for line in figure(spatial, "forces").axes[0].lines]
    assert names == ["upper", "fore"], "inside rigid links nothing is known"


def far(single, turn=1.0, bend=1.0):
    data = single.data.copy(deep=True)
    data["joint_position"] = turn * data["joint_position"]
    data["deflection"] = bend * data["deflection"]
    return SimpleNamespace(data=data, scenario=None)


def test_a_link_that_turns_or_bends_far_shows_where_its_tip_is(single):
    for result, rigid in ((far(single, turn=10.0), True), (far(single, bend=20.0), False)):
        upper = figure(result, "tip").axes[0]
        assert upper.get_ylabel() == "Tip position (m)"
        words = [text.get_text() for text in upper.get_legend().get_texts()]
        assert words[:2] == ["x", "y"] and ("rigid arm at actual joints" in words) == rigid
        assert line(upper, "x").get_ydata() == pytest.approx(single.data["tip_position"].values[:, 0])
        assert "Deflection" in " ".join(text.get_text() for text in surface(result).axes[0].texts)
    _, _, height = bending(far(single, turn=10.0))
    assert height == pytest.approx(single.data["deflection"].values[:, 0])


def test_angles_of_rounding_are_zero(single):
    lower = figure(far(single, turn=1e-16), "tip").axes[1]
    assert lower.get_ylabel() == "Hub angle (°)" and not lower.lines[0].get_ydata().any()


def test_errors_that_are_alike_are_drawn_once(spatial):
    (axes,) = figure(spatial, "tip_error").axes
    words = [text.get_text() for text in axes.get_legend().get_texts()]
    assert words == ["x", "y", "z", "distance", "the same: tip minus stiff arm at the actual joints"]


def test_torque_leaves_out_idle_joints_and_joins_equal_lines(planar):
    data = planar.data.copy(deep=True)
    data["joint_torque"][:, 1] = 0.0
    data["rigid_torque"][:, 1] = 0.0
    data = data.assign(drive_torque=data["joint_torque"].assign_attrs(units="N*m"))
    (axes,) = figure(SimpleNamespace(data=data, scenario=None), "torque").axes
    assert axes.get_ylabel().startswith("Torque, upper")
    assert [line.get_label() for line in axes.lines] == ["joint and motor", "rigid arm"]


def test_torque_of_a_stiff_arm_that_needs_far_more_is_cut_off_and_told(planar):
    data = planar.data.copy(deep=True)
    data["rigid_torque"] = (1000.0 * data["rigid_torque"]).assign_attrs(units="N*m")
    axes = figure(SimpleNamespace(data=data, scenario=None), "torque").axes[0]
    peak = np.abs(data["joint_torque"].values[:, 0]).max()
    assert axes.get_ylim()[1] == pytest.approx(1.2 * peak, rel=0.01)
    assert any(line.get_label().startswith("rigid arm (up to ") for line in axes.lines)


def test_the_edge_of_the_surface_is_the_travel_of_the_tip(single, without):
    time, place, height = movement(single)
    assert height[:, -1] == pytest.approx(single.data["travel"].values)
    assert height[:, 0] == pytest.approx(np.zeros(len(time)))
    assert place[-1] == pytest.approx(0.96)
    _, _, world = movement(without(single, "deflection"))
    assert world == pytest.approx(single.data["shape"].values[:, 0, :, 1])
    assert "Displacement (mm)" in [text.get_text() for text in surface(single).axes[0].texts]


def test_spectrum_finds_the_frequencies_that_ring(single):
    (axes,) = spectrum(single).axes
    f, amplitude = axes.lines[0].get_data()
    assert f[amplitude.argmax()] == pytest.approx(12.0, abs=1.0)
    marked = sorted({float(line.get_xdata()[0]) for line in axes.lines[1:] if len(line.get_xdata())})
    ringing = min(marked, key=lambda mark: abs(mark - 12.0))
    assert ringing == pytest.approx(12.0, abs=0.5)
    assert f"{ringing:.4g} Hz" in [text.get_text() for text in axes.texts]


def legend_words(made):
    return [text.get_text() for legend in made.legends for text in legend.get_texts()]


def test_spectrum_marks_natural_frequencies_as_far_as_its_content_goes(planar, modes):
    made = spectrum(planar, frequencies=[0.0, 95.2, 12.03])
    (axes,) = made.axes
    assert [text.get_text() for text in axes.texts] == ["12.03 Hz"], "rigid modes are left out"
    assert 12.03 < axes.get_xlim()[1] < 95.2
    assert legend_words(made)[2] == "natural frequency (95.2 Hz does not show)"
    assert [line.get_label() for line in axes.lines][:2] == ["tip deflection, x", "tip deflection, y"]
    assert hertz(modes["planar"]) == [12.03, 36.43, 37.1, 95.2]
    (axes,) = spectrum(planar, frequencies=[4.0, 80.0], highest=100.0).axes
    assert axes.get_xlim()[1] == 100.0 and len(axes.texts) == 2


def test_spectrum_marks_nothing_that_the_records_cannot_show(single):
    time = single.data["time"].values
    nyquist = 0.5 * (len(time) - 1) / (time[-1] - time[0])
    axes = spectrum(single, frequencies=[12.0, 1.5 * nyquist], highest=2.0 * nyquist).axes[0]
    assert [text.get_text() for text in axes.texts] == ["12 Hz"]
    assert axes.get_xlim()[1] <= 1.001 * nyquist


def test_the_content_of_a_spectrum_ends_behind_its_last_peak_not_behind_its_slope():
    f = np.linspace(0.5, 500.0, 1000)
    slope = 1.0 / f**2
    assert content_end(f, slope) == pytest.approx(1.25 * f[slope > 1e-3 * slope.max()][-1])
    ringing = slope + 1e-3 * slope.max() / (1.0 + (f - 80.0) ** 2)
    assert 85.0 < content_end(f, ringing) < 110.0
    faint = slope + 1e-6 * slope.max() / (1.0 + (f - 300.0) ** 2)
    assert content_end(f, faint) == content_end(f, slope)
    lobes = slope * (0.01 + np.sin(np.pi * f / 1.5) ** 2)
    assert content_end(f, lobes) < 60.0, "side lobes are no peaks"


def test_side_lobes_that_are_too_close_become_the_line_through_their_tops():
    f = np.arange(1000) * 0.1
    comb = (2.0 + np.cos(2 * np.pi * f)) / (1.0 + f)
    kept = tops(f, comb, gap=1.5)
    inner = kept[(f[kept] > 2.0) & (f[kept] < 97.0)]
    assert np.diff(f[inner]) == pytest.approx(1.0, abs=0.11) and len(inner) < 100
    assert list(tops(f, comb, gap=0.5)) == list(range(1000)), "far enough apart, they stay"


@pytest.mark.parametrize("size", ["wide", "column"])
def test_the_legend_of_a_spectrum_covers_no_data(planar, size):
    made = spectrum(planar, size=size, frequencies=[4.0, 11.0, 12.0, 95.2])
    made.draw_without_rendering()
    (legend,) = made.legends
    box = legend.get_window_extent()
    assert box.y0 > made.axes[0].get_window_extent().y1
    assert not any(box.overlaps(text.get_window_extent()) for text in made.axes[0].texts)


def test_spectrum_without_deflection_takes_travel_minus_rigid_part(single, without):
    full = spectrum(single).axes[0].lines[0].get_ydata()
    other = spectrum(without(single, "deflection")).axes[0].lines[0].get_ydata()
    assert other == pytest.approx(full, rel=1e-6, abs=1e-9 * full.max())


def test_labels_of_close_frequencies_are_moved_apart():
    moved = spread([0.1, 0.5, 0.501, 0.9], 0.02)
    assert np.diff(moved).min() >= 0.0199
    assert moved[0] == 0.1 and moved[3] == 0.9
    assert moved[1] + moved[2] == pytest.approx(1.001)
    assert min(spread([0.001, 0.002, 0.003], 0.02)) >= 0.01, "the scale is on the left"


def test_arm_is_drawn_to_scale_at_the_wanted_instants(planar):
    made = arm(planar, at=[0.0, 1.2])
    made.draw_without_rendering()
    axes = made.axes[0]
    inches = made.get_size_inches() * axes.get_position().size
    assert np.ptp(axes.get_xlim()) / inches[0] == pytest.approx(np.ptp(axes.get_ylim()) / inches[1])
    links = [line for line in axes.lines if len(line.get_xdata()) == 161]
    assert len(links) == 4
    assert {line.get_linestyle() for line in links} == {"-"}
    assert links[3].get_xydata()[::8] == pytest.approx(planar.data["shape"].values[-1, 1, :, :2]), (
        "through all stations"
    )


def test_modes_are_drawn_on_the_arm_and_captioned(modes):
    made = draw_modes(modes["planar"], count=3)
    assert [axes.get_title(loc="left") for axes in made.axes] == [
        "Mode 1: 12.03 Hz\ndamping 1 %",
        "Mode 2: 36.43 Hz\ndamping 2 %",
        "Mode 3: 37.1 Hz",
    ]
    shapes = modes["planar"].shapes.values
    for k, axes in enumerate(made.axes):
        rest = [line.get_xydata() for line in axes.lines if line.get_linestyle() == "--"]
        moved = [line.get_xydata() for line in axes.lines if line.get_linestyle() == "-"]
        assert len(rest) == len(moved) == 2
        assert np.concatenate(rest)[[0, 160, -1]] == pytest.approx(np.array([[0, 0], [1, 0], [2, 0]]))
        move = np.stack([one[::8] - other[::8] for one, other in zip(moved, rest, strict=True)])
        assert np.abs(move).max() == pytest.approx(0.13 * 2.0)
        assert max(move[-1, -1], key=abs) > 0, "the tip goes towards positive axes"
        factor = np.sum(move * shapes[k, :, :, :2]) / np.sum(shapes[k, :, :, :2] ** 2)
        assert move == pytest.approx(factor * shapes[k, :, :, :2]), "one factor for all"


def test_captions_of_modes_in_space_name_the_directions(modes):
    titles = [axes.get_title(loc="left") for axes in draw_modes(modes["spatial"]).axes]
    assert all("along" in title.split("\n")[1] for title in titles)
    only = SimpleNamespace(**{**vars(modes["spatial"]), "shapes": modes["spatial"].shapes * [0.0, 1.0, 0.0]})
    assert draw_modes(only).axes[0].get_title(loc="left") == "Mode 1: 12.03 Hz\ndamping 1 %, along y"
    stiff = SimpleNamespace(**{**vars(only), "damping": np.array([1.2, 0.0, 0.0, 0.0])})
    assert "overdamped" in draw_modes(stiff).axes[0].get_title(loc="left")


def test_instants():
    time = np.linspace(0.0, 1.0, 101)
    assert list(instants(time, 3)) == [0, 50, 100]
    assert list(instants(time, [0.104])) == [10]
    with pytest.raises(OutputError, match="between 0 s and 1 s"):
        instants(time, [1.5])
    with pytest.raises(OutputError, match="at least one instant"):
        instants(time, 0)
